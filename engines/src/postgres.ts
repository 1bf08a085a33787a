import type { EngineDefinition } from './engine.ts'

/** The address is a URL: postgres://user:password@127.0.0.1:port/postgres, for a superuser. */
export const postgres: EngineDefinition<string> = {
  name: 'postgres',
  version: '18.4.0-beta.17',
  endSignals: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
  probe: async () => 'the rig is still being built',
  install: async () => {
    throw new Error('not built yet')
  },
  start: async () => {
    throw new Error('not built yet')
  },
}

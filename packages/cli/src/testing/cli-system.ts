/** A real server with the local provider and an edge, and the program pointed at it through a contexts file. */
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type System, startSystem, until } from '@gantry/server/testing'
import { gantry, type Ran, type Surroundings, start } from './gantry.ts'
import { type InTerminal, inTerminal, type TerminalOptions } from './terminal.ts'

export type CliSystem = {
  readonly system: System
  /** For whatever else is started. */
  readonly env: Readonly<Record<string, string>>
  gantry(args: readonly string[], surroundings?: Surroundings): Promise<Ran>
  start(args: readonly string[], surroundings?: Surroundings): ReturnType<typeof start>
  inTerminal(args: readonly string[], options?: TerminalOptions): InTerminal
  /** Fails if anything is left over. */
  dispose(): Promise<void>
}

/** `serverEnv`: what the server is started with beside what there is. */
export async function startCliSystem(serverEnv: Readonly<Record<string, string>> = {}): Promise<CliSystem> {
  const system = await startSystem()
  await system.start(serverEnv)
  const env = { GANTRY_CONTEXTS: join(dirname(system.dataDir), 'contexts.json'), NODE_EXTRA_CA_CERTS: '' }
  // Written when the server has its address, which is a moment after it answers.
  await until(
    'the contexts file',
    () => stat(env.GANTRY_CONTEXTS),
    () => true,
  )
  const around = <G extends { readonly env?: Readonly<Record<string, string>> }>(given: G | undefined) => ({
    ...given,
    env: { ...env, ...given?.env },
  })
  return {
    system,
    env,
    gantry: (args, given) => gantry(args, around(given)),
    start: (args, given) => start(args, around(given)),
    inTerminal: (args, given) => inTerminal(args, around(given)),
    async dispose() {
      const left = await system.dispose()
      if (left.length > 0) throw new Error(`Left running: ${left.join('; ')}`)
    },
  }
}

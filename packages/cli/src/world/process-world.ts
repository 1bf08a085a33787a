/** The world of a real process. */
import type { Client } from '@gantry/api'
import { systemClock } from '@gantry/core'
import type { Globals } from '../command/global-flags.ts'
import { choose } from '../connect/choose.ts'
import { connect } from '../connect/connect.ts'
import { contextsPath, readContexts } from '../connect/contexts.ts'
import { keyboardOf } from './keyboard.ts'
import { screenOf } from './screen.ts'
import type { Connection, World } from './world.ts'

export function processWorld(globals: Globals, signal: AbortSignal): World {
  const { env } = process
  const colours = !globals.noColor && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  let connection: Promise<Connection> | undefined
  let client: Promise<Client> | undefined
  const err = screenOf(process.stderr, colours)
  const world: World = {
    out: screenOf(process.stdout, colours),
    err,
    keys: keyboardOf(process.stdin, process.stderr),
    env,
    folder: process.cwd(),
    clock: systemClock,
    globals,
    signal,
    connection() {
      const path = contextsPath(env)
      connection ??= readContexts(path).then((contexts) => choose(globals, env, contexts, path))
      return connection
    },
    client() {
      client ??= world.connection().then((found) => connect(found, systemClock, globals.timeoutMs))
      return client
    },
    async tenant() {
      const { tenant } = await world.connection()
      return (await world.client()).tenant(tenant)
    },
  }
  return world
}

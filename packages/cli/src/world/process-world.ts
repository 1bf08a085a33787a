/** The world of a real process. */
import type { Client } from '@gantry/api'
import type { Globals } from '../command/global-flags.ts'
import { choose } from '../connect/choose.ts'
import { connect } from '../connect/connect.ts'
import { contextsPath, readContexts } from '../connect/contexts.ts'
import { keyboardOf } from './keyboard.ts'
import { processClock } from './process-clock.ts'
import { screenOf } from './screen.ts'
import type { Connection, Keyboard, Screen, World } from './world.ts'

export function processWorld(globals: Globals, signal: AbortSignal): World {
  const { env } = process
  const colours = !globals.noColor && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  let connection: Promise<Connection> | undefined
  let client: Promise<Client> | undefined
  // Each is opened when it is first wanted: opening one takes as long as many a command.
  const screens: { out?: Screen; err?: Screen; keys?: Keyboard } = {}
  const world: World = {
    get out() {
      screens.out ??= screenOf(process.stdout, colours)
      return screens.out
    },
    get err() {
      screens.err ??= screenOf(process.stderr, colours)
      return screens.err
    },
    get keys() {
      screens.keys ??= keyboardOf(process.stdin, process.stderr)
      return screens.keys
    },
    env,
    folder: process.cwd(),
    clock: processClock,
    globals,
    signal,
    connection() {
      const path = contextsPath(env)
      connection ??= readContexts(path).then((contexts) => choose(globals, env, contexts, path))
      return connection
    },
    client() {
      client ??= world.connection().then((found) => connect(found, processClock, globals.timeoutMs))
      return client
    },
    async tenant() {
      const { tenant } = await world.connection()
      return (await world.client()).tenant(tenant)
    },
  }
  return world
}

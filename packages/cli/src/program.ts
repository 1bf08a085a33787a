/** A line of arguments, from finding its command to its exit code. */
import { asFault, faultMeaning, isFault } from '@gantry/core'
import type { Command, Entry } from './command/command.ts'
import { findCommand } from './command/find.ts'
import type { Globals } from './command/global-flags.ts'
import { commandHelp, groupHelp } from './command/help.ts'
import { parse } from './command/parse.ts'
import { faultReport } from './faults/report.ts'
import type { World } from './world/world.ts'

const noGlobals: Globals = { noColor: false, verbose: false, help: false }

/** The code with which the program ends. */
export async function program(
  table: readonly Entry[],
  line: readonly string[],
  worldWith: (globals: Globals) => World,
): Promise<number> {
  let world = worldWith(noGlobals)
  let command: Command | undefined
  try {
    const found = findCommand(table, line)
    if ('group' in found) {
      await (found.asked ? world.out : world.err).write(groupHelp(table, found.group, world.out.columns))
      return found.asked ? 0 : faultMeaning.invalid.exit
    }
    command = found.entry.command
    const { input, globals } = parse(command, found.words)
    world = worldWith(globals)
    if (globals.help) {
      await world.out.write(commandHelp(command, world.out.columns))
      return 0
    }
    const run = await found.entry.load()
    return (await run(input, world)) ?? 0
  } catch (error) {
    return await failed(error, world, command)
  }
}

async function failed(error: unknown, world: World, command: Command | undefined): Promise<number> {
  // Whoever reads has had enough, as `head` has: nothing is wrong.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0
  if (error === world.signal.reason && world.signal.aborted) return 130
  const fault = isFault(error) ? error : asFault(error)
  const from = await world.connection().then(
    (connection) => connection.from,
    () => undefined,
  )
  await world.err.write(faultReport(fault, { from, verbose: world.globals.verbose }, world.err.style))
  return command?.faultExit ?? faultMeaning[fault.kind].exit
}

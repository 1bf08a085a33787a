import { asFault, isFault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { faultReport } from '../../faults/report.ts'
import { planText } from '../plan/render.ts'
import { planFiles } from '../plan/run.ts'
import type { diffCommand } from './command.ts'

const exit = { same: 0, different: 1, trouble: 2 } as const

export const run: Run<typeof diffCommand> = async ({ flags }, world) => {
  try {
    const { plan, written } = await planFiles(flags, world)
    const { style, isTerminal, columns } = world.out
    await world.out.write(
      planText(plan, { style, written, columns: isTerminal ? columns : undefined, changesOnly: true }),
    )
    return plan.steps.some(({ action }) => action !== 'keep') ? exit.different : exit.same
  } catch (error) {
    if (world.signal.aborted) throw error
    // Told as any other, and with diff's own code: that of the fault could be taken for "different".
    const fault = isFault(error) ? error : asFault(error)
    const from = await world.connection().then(
      (connection) => connection.from,
      () => undefined,
    )
    await world.err.write(faultReport(fault, { from, verbose: world.globals.verbose }, world.err.style))
    return exit.trouble
  }
}

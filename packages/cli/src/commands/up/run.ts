import type { Run } from '../../command/command.ts'
import { waitFor } from '../../progress/wait.ts'
import { goalsOf } from '../../workloads/goal.ts'
import { applyFiles } from '../apply/run.ts'
import { addressesOf } from './addresses.ts'
import type { upCommand } from './command.ts'
import { followAll } from './follow.ts'

export const run: Run<typeof upCommand> = async ({ flags }, world) => {
  const given = { ...flags, wait: true, prune: false, selector: undefined, plan: undefined, 'dry-run': false }
  const since = new Date(world.clock.now())
  const reply = await applyFiles({ ...given, output: undefined }, world)
  if (!reply) return 0
  const goals = goalsOf(reply)
  await waitFor(goals, world)
  for (const { name, address } of await addressesOf(reply, world))
    await world.out.write(`${name} answers at ${address}\n`)
  const names = goals.map(({ workload }) => workload)
  if (flags.detach || names.length === 0) return 0
  await world.err.write(world.err.style.dim('Following what it writes; Ctrl-C ends that, and it goes on running.\n'))
  try {
    await followAll(names, since, world)
  } catch (error) {
    if (!world.signal.aborted || error !== world.signal.reason) throw error
  }
  await world.err.write(
    `\n${names.join(', ')} ${names.length === 1 ? 'goes' : 'go'} on running; "gantry down" takes it away.\n`,
  )
  return 0
}

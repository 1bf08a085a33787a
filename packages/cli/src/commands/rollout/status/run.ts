import type { Run } from '../../../command/command.ts'
import { sightOf } from '../../../progress/sight.ts'
import { progressLines, sightText } from '../../../progress/view.ts'
import { waitFor } from '../../../progress/wait.ts'
import { workloadNamed } from '../../../workloads/act.ts'
import { goalOf } from '../../../workloads/goal.ts'
import { pictureNow } from '../../../workloads/looked.ts'
import type { rolloutStatusCommand } from './command.ts'

export const run: Run<typeof rolloutStatusCommand> = async ({ args, flags }, world) => {
  const workload = await workloadNamed(world, args.NAME)
  // Also one that had failed before anybody asked.
  const goal = { ...goalOf(workload), since: 0 }
  const { out, err, clock } = world
  if (flags['no-wait']) {
    const sight = sightOf(goal, await pictureNow(new Set([goal.workload]), world))
    const lines = progressLines([sight], clock.now(), { columns: out.columns, rows: 10_000 }, out.style)
    await out.write(`${lines.join('\n')}\n`)
    return 0
  }
  const sights = await waitFor([goal], world)
  // Who looks at the progress has seen it.
  if (!(out.isTerminal && err.isTerminal)) await out.write(sights.map((sight) => `${sightText(sight)}\n`).join(''))
  return 0
}

import type { WorkloadLog } from '@gantry/api'
import type { Fault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { checkService, workloadNamed } from '../../objects/workload-named.ts'
import type { World } from '../../world/world.ts'
import type { logsCommand } from './command.ts'
import { followLogs } from './follow.ts'
import { hasSeveral, lineWriter } from './line.ts'

export const run: Run<typeof logsCommand> = async ({ args, flags }, world) => {
  const { service, replica, since, tail, follow, previous } = flags
  const workload = await workloadNamed(args.NAME, world)
  checkService(workload, service)
  const show = lineWriter({
    prefixes: hasSeveral(workload.spec, { service, replica }),
    timestamps: flags.timestamps,
    style: world.out.style,
  })
  const { workloads } = await world.tenant()
  const chosen = { follow, service, replica, signal: world.signal }
  const open = (resumed: Date | undefined): AsyncIterable<WorkloadLog> =>
    workloads.logs(args.NAME, resumed ? { ...chosen, since: resumed } : { ...chosen, since, tail, previous })
  for await (const log of follow
    ? followLogs({ clock: world.clock, signal: world.signal, open, lost: lostBy(world) })
    : open(undefined)) {
    if (flags.output === 'json') {
      await world.out.write(`${JSON.stringify(log)}\n`)
      continue
    }
    const { out, err } = show(log)
    if (out !== undefined) await world.out.write(out)
    if (err !== undefined) await world.err.write(world.err.style.warn(err))
  }
  return 0
}

function lostBy({ err }: World): (fault: Fault) => Promise<void> {
  return ({ message }) => err.write(err.style.warn(`The connection is lost, and tried again: ${message}\n`))
}

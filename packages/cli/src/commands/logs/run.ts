import type { Run } from '../../command/command.ts'
import { checkService, workloadNamed } from '../../objects/workload-named.ts'
import type { logsCommand } from './command.ts'
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
  const given = { follow, since, tail, service, replica, previous, signal: world.signal }
  for await (const log of workloads.logs(args.NAME, given)) {
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

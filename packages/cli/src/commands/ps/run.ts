import type { Run } from '../../command/command.ts'
import { dataText } from '../../output/data.ts'
import { plainName, workloadNamed } from '../../workloads/act.ts'
import type { psCommand } from './command.ts'
import { replicaItems, replicaTable } from './rows.ts'

export const run: Run<typeof psCommand> = async ({ args, flags }, world) => {
  const names = args.NAME.map(plainName)
  // A workload without replicas is one that has none; a name without a workload is a slip.
  for (const name of names) await workloadNamed(world, name)
  const { instances } = await world.tenant()
  const all = await instances.list({ signal: world.signal }).toArray()
  const own = all.filter(({ spec }) => names.length === 0 || names.includes(spec.workload))
  const items = replicaItems(own)
  const format = flags.output ?? 'table'
  if (format === 'json' || format === 'yaml') {
    await world.out.write(await dataText({ items }, format))
    return 0
  }
  await world.out.write(replicaTable(items, format === 'wide', world.clock.now(), world.out.style))
  for (const { spec, status } of own) {
    if (!status.blind) continue
    const { since, message } = status.blind
    const what = `${spec.workload} on provider "${spec.provider}" cannot be looked at since ${since}: ${message}`
    await world.err.write(`${world.err.style.warn('Warning:')} ${what}\n`)
  }
  return 0
}

import { Fault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { actOnEach } from '../../workloads/act.ts'
import type { scaleCommand } from './command.ts'

export const run: Run<typeof scaleCommand> = async ({ args, flags }, world) => {
  const { cpu, memory, disk, gpu, service } = flags
  const replicas = args.REPLICAS === undefined ? undefined : countIn(args.REPLICAS)
  const given = { replicas, cpu, memory, disk, gpu }
  const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  if (Object.keys(body).length === 0) {
    throw new Fault(
      'bad_request',
      `gantry scale ${args.NAME} changes nothing; say how many replicas, as in "gantry scale ${args.NAME} 3"`,
    )
  }
  await actOnEach(world, [args.NAME], {
    did: replicas === undefined ? 'scaled' : `scaled to ${replicas}`,
    wait: flags.wait,
    act: (name, tenant) =>
      tenant.workloads.scale(name, { ...body, ...(service !== undefined && { service }) }, { signal: world.signal }),
  })
  return 0
}

function countIn(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new Fault('bad_request', `"${text}" is no number of replicas; write it as in "gantry scale web 3"`)
}

import { Fault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { actOnEach } from '../../workloads/act.ts'
import type { rollbackCommand } from './command.ts'

export const run: Run<typeof rollbackCommand> = async ({ args, flags }, world) => {
  const to = flags.to === undefined ? undefined : releaseNumber(flags.to)
  const body = { ...(to !== undefined && { to }), ...(flags.message !== undefined && { message: flags.message }) }
  await actOnEach(world, [args.NAME], {
    did: to === undefined ? 'rolls back' : `rolls back to v${to}`,
    wait: flags.wait,
    act: (name, tenant) => tenant.workloads.rollback(name, body, { signal: world.signal }),
  })
  return 0
}

function releaseNumber(text: string): number {
  const [, digits] = /^v?([1-9]\d{0,8})$/.exec(text) ?? []
  if (digits !== undefined) return Number(digits)
  throw new Fault('bad_request', `--to ${text} is no release; write it as "gantry rollout history" does, such as v3`)
}

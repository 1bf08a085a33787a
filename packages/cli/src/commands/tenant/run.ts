import { Fault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { findOne } from '../../objects/find.ts'
import { removeNamed } from '../../objects/remove-named.ts'
import { faceCalled } from '../../objects/targets.ts'
import { dataText } from '../../output/data.ts'
import { delegatedList } from '../delegate.ts'
import type { tenantCreateCommand, tenantLsCommand, tenantQuotaCommand, tenantRmCommand } from './commands.ts'
import { limitsOf, quotaTable } from './quota.ts'

export const create: Run<typeof tenantCreateCommand> = async ({ args, flags }, world) => {
  const quota = limitsOf(flags.quota)
  const none = Object.keys(quota).find((key) => quota[key] === null)
  if (none !== undefined) throw new Fault('bad_request', `There is no limit yet that "none" could take away: ${none}`)
  const spec = {
    ...(flags['display-name'] !== undefined && { displayName: flags['display-name'] }),
    ...(flags.plan !== undefined && { plan: flags.plan }),
    quota: quota as Record<string, never>,
  }
  const tenant = { apiVersion: 'gantry/v1', kind: 'Tenant', metadata: { name: args.NAME }, spec } as const
  await (await world.client()).tenants.put(tenant, { ifAbsent: true, signal: world.signal })
  await world.out.write(`tenant/${args.NAME} created\n`)
  const next = `gantry token create NAME --role admin -n ${args.NAME}`
  await world.err.write(`"${next}" makes a token for it\n`)
  return 0
}

export const list: Run<typeof tenantLsCommand> = ({ flags }, world) => delegatedList('tenants', flags, world)

export const remove: Run<typeof tenantRmCommand> = ({ args }, world) => removeNamed('tenant', args.NAME, world)

export const quota: Run<typeof tenantQuotaCommand> = async ({ args, flags }, world) => {
  const client = await world.client()
  const { signal } = world
  const name = args.NAME ?? (await world.connection()).tenant
  if (flags.set.length > 0) {
    const limits = limitsOf(flags.set) as Record<string, never>
    await findOne(faceCalled('tenant'), name, { client, tenant: name, signal })
    await client.tenants.patch(name, { spec: { quota: limits } }, { signal })
  }
  const found = await client.tenant(name).quota({ signal })
  const format = flags.output
  await world.out.write(format === 'json' || format === 'yaml' ? await dataText(found, format) : quotaTable(found))
  return 0
}

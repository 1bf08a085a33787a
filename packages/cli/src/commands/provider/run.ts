import type { OfferedProvider } from '@gantry/api'
import { isFault } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { removeNamed } from '../../objects/remove-named.ts'
import { dataText } from '../../output/data.ts'
import { table } from '../../output/table.ts'
import type { World } from '../../world/world.ts'
import { delegatedDescribe, delegatedList } from '../delegate.ts'
import type { providerDescribeCommand, providerLsCommand, providerRmCommand } from './commands.ts'

export const list: Run<typeof providerLsCommand> = async ({ flags }, world) => {
  try {
    return await delegatedList('providers', flags, world)
  } catch (error) {
    // How an engine is reached is for the installation only; that it is there is not.
    if (!isFault(error, 'forbidden')) throw error
    return await listOffered(flags, world)
  }
}

async function listOffered(flags: Input<typeof providerLsCommand>['flags'], world: World): Promise<number> {
  const items = await (await world.tenant()).providers({ signal: world.signal })
  if (flags.output === 'json' || flags.output === 'yaml') {
    await world.out.write(await dataText({ items }, flags.output))
  } else if (flags.output === 'name') {
    await world.out.write(items.map(({ name }) => `provider/${name}\n`).join(''))
  } else await world.out.write(offeredTable(items))
  return 0
}

const readiness = { True: 'yes', False: 'no', Unknown: 'unknown' } as const

export function offeredTable(items: readonly OfferedProvider[]): string {
  return table(
    ['NAME', 'TYPE', 'READY', 'REGION', 'DEFAULT'],
    items.map(({ name, type, ready, location, default: isDefault }) => [
      name,
      type,
      readiness[ready],
      location.region ?? '-',
      isDefault ? 'yes' : '',
    ]),
  )
}

export const describe: Run<typeof providerDescribeCommand> = ({ args }, world) =>
  delegatedDescribe('provider', args.NAME, world)

export const remove: Run<typeof providerRmCommand> = ({ args }, world) => removeNamed('provider', args.NAME, world)

import { Fault } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { find, type Group, type Where } from '../../objects/find.ts'
import { nothingFound } from '../../objects/nothing-found.ts'
import { type Target, targetsOf } from '../../objects/targets.ts'
import { dataText, listOf, nameOf } from '../../output/data.ts'
import { rowOf, type TableOptions, titlesOf } from '../../output/object-table.ts'
import { line, table, widthsOf } from '../../output/table.ts'
import type { World } from '../../world/world.ts'
import type { getCommand } from './command.ts'
import { refusal } from './plan.ts'
import { watchObjects } from './watch.ts'

type Flags = Input<typeof getCommand>['flags']

export const run: Run<typeof getCommand> = async ({ args, flags }, world) => {
  const targets = targetsOf([args.KIND, ...args.NAME])
  const why = refusal(targets, flags)
  if (why !== undefined) throw new Fault('bad_request', why)
  const { tenant } = await world.connection()
  const where: Where = {
    client: await world.client(),
    tenant,
    allTenants: flags['all-tenants'],
    selector: flags.selector,
    signal: world.signal,
  }
  const [only] = targets
  if (flags.watch && only) return await watchObjects(only, where, flags, world)
  const groups = await Promise.all(targets.map((target) => find(target, where)))
  await show(groups, targets, flags, world, tenant)
  const [fault] = groups.flatMap(({ missing }) => missing)
  if (fault) throw fault
  return 0
}

async function show(
  groups: readonly Group[],
  targets: readonly Target[],
  flags: Flags,
  world: World,
  tenant: string,
): Promise<void> {
  const objects = groups.flatMap((group) => group.objects)
  if (flags.output === 'json' || flags.output === 'yaml') {
    const isOne = targets.length === 1 && targets[0]?.names.length === 1
    const value = isOne ? objects[0] : listOf(objects)
    if (value !== undefined) await world.out.write(await dataText(value, flags.output))
  } else if (flags.output === 'name') {
    await world.out.write(objects.map((object) => `${nameOf(object)}\n`).join(''))
  } else {
    const options = tableOptions(flags, groups.length > 1, world)
    const tables = groups.filter((group) => group.objects.length > 0).map((group) => tableText(group, flags, options))
    await world.out.write(tables.join('\n'))
    if (objects.length === 0 && groups.every(({ missing }) => missing.length === 0)) {
      const { selector, 'all-tenants': allTenants } = flags
      await world.err.write(nothingFound({ faces: groups.map(({ face }) => face), tenant, selector, allTenants }))
    }
  }
}

export function tableOptions(flags: Flags, kinds: boolean, world: World): TableOptions {
  return {
    wide: flags.output === 'wide',
    tenants: flags['all-tenants'],
    kinds,
    now: world.clock.now(),
    style: world.out.style,
  }
}

function tableText({ face, objects }: Group, flags: Flags, options: TableOptions): string {
  const rows = objects.map((object) => rowOf(face, object, options))
  if (!flags['no-headers']) return table(titlesOf(face, options), rows)
  const widths = widthsOf(rows)
  return rows.map((row) => line(row, widths)).join('')
}

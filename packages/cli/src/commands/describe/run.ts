import { Fault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { type AnyObject, objectsOf } from '../../objects/access.ts'
import { find, type Where } from '../../objects/find.ts'
import { nothingFound } from '../../objects/nothing-found.ts'
import { targetsOf } from '../../objects/targets.ts'
import type { describeCommand } from './command.ts'
import { type Inside, objectText } from './object-text.ts'
import { providerText } from './provider-text.ts'
import { lookInside } from './workload-look.ts'
import { workloadText } from './workload-text.ts'

/** Of all that are kept, those that a screen has room for; `gantry events` shows the rest. */
const mostEvents = 10

export const run: Run<typeof describeCommand> = async ({ args, flags }, world) => {
  const targets = targetsOf([args.KIND, ...args.NAME])
  if (flags.selector !== undefined && targets.some(({ names }) => names.length > 0)) {
    throw new Fault('bad_request', 'Names and --selector cannot be asked for together: leave one out')
  }
  const client = await world.client()
  const { tenant } = await world.connection()
  const { signal } = world
  const where: Where = { client, tenant, selector: flags.selector, signal }
  const { style } = world.out
  const insideOf = async (kind: string, object: AnyObject): Promise<Inside | undefined> => {
    if (kind === 'Provider') return await providerText(object)
    if (kind !== 'Workload') return undefined
    const frame = { now: world.clock.now(), columns: world.out.columns, style }
    return workloadText(object, await lookInside(client.tenant(tenant), object, signal), frame)
  }
  let written = 0
  for (const target of targets) {
    const { face, objects, missing } = await find(target, where)
    for (const object of objects) {
      const events = await objectsOf(client, tenant, face).events(object.metadata.name, { signal }).toArray()
      const frame = { now: world.clock.now(), columns: world.out.columns, style }
      const inside = await insideOf(face.kind, object)
      const text = await objectText(
        { face, object, events: events.slice(0, mostEvents), more: events.length - mostEvents, inside },
        frame,
      )
      await world.out.write(written++ === 0 ? text : `\n\n${text}`)
    }
    if (objects.length === 0 && missing.length === 0) {
      await world.err.write(nothingFound({ faces: [face], tenant, selector: flags.selector }))
    }
    const [fault] = missing
    if (fault) throw fault
  }
  return 0
}

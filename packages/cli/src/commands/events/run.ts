import type { TenantEvent } from '@gantry/api'
import { type AnyFace, Fault, sleep } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { objectsOf } from '../../objects/access.ts'
import { findOne } from '../../objects/find.ts'
import { targetsOf } from '../../objects/targets.ts'
import { dataText } from '../../output/data.ts'
import { aboutEventRow, aboutEventTitles } from '../../output/event-table.ts'
import { line, widthsOf } from '../../output/table.ts'
import type { World } from '../../world/world.ts'
import type { eventsCommand } from './command.ts'
import { News, newestOf } from './news.ts'

type Flags = Input<typeof eventsCommand>['flags']
type About = { readonly face: AnyFace; readonly name: string | undefined }

/** The server writes them down about as often. */
const everyMs = 1000
const most = 1000

export const run: Run<typeof eventsCommand> = async ({ args, flags }, world) => {
  const about =
    args.KIND === undefined ? undefined : aboutOf([args.KIND, ...(args.NAME === undefined ? [] : [args.NAME])])
  const { tenant } = await world.connection()
  const read = await readerOf(about, tenant, world)
  const news = new News()
  const print = printerOf(flags, world)
  const first = wanted(await read(undefined), flags)
  await print(news.of(first))
  if (!flags.watch) {
    if (first.length === 0 && flags.output !== 'json' && flags.output !== 'yaml') {
      await world.err.write(`No events${about ? ` of ${wordsOf(about)}` : ''} in tenant ${tenant}.\n`)
    }
    return 0
  }
  for (let since = newestOf(first, undefined); ; ) {
    await sleep(world.clock, everyMs, world)
    const events = wanted(await read(since), flags)
    await print(news.of(events))
    since = newestOf(events, since)
  }
}

function wanted(events: readonly TenantEvent[], { warnings }: Flags): readonly TenantEvent[] {
  return warnings ? events.filter(({ type }) => type === 'warning') : events
}

function aboutOf(words: readonly string[]): About {
  const [target, ...more] = targetsOf(words)
  const names = target?.names ?? []
  if (!target || more.length > 0 || names.length > 1) {
    throw new Fault('bad_request', 'Events are of everything, of one kind or of one object: name one')
  }
  return { face: target.face, name: names[0] }
}

function wordsOf({ face, name }: About): string {
  return name === undefined ? face.plural : `${face.kind.toLowerCase()}/${name}`
}

/** Asks for those since some time, if it can be asked so. */
async function readerOf(
  about: About | undefined,
  tenant: string,
  world: World,
): Promise<(since: string | undefined) => Promise<readonly TenantEvent[]>> {
  const client = await world.client()
  const { signal } = world
  if (about?.name !== undefined) {
    const { face, name } = about
    await findOne(face, name, { client, tenant, signal })
    const source = objectsOf(client, tenant, face)
    return async () =>
      (await source.events(name, { signal }).toArray()).map((event) => ({ ...event, about: { kind: face.kind, name } }))
  }
  if (about?.face.scope === 'system') {
    const { plural, kind } = about.face
    throw new Fault(
      'bad_request',
      `Events of ${plural} are asked for one by one: write "gantry events ${kind.toLowerCase()}/NAME"`,
    )
  }
  return async (since) => {
    const events = await client.tenant(tenant).activity({ since, limit: most, signal })
    return about ? events.filter((event) => event.about.kind === about.face.kind) : events
  }
}

function printerOf({ output, watch }: Flags, world: World): (events: readonly TenantEvent[]) => Promise<void> {
  let widths: number[] = []
  return async (events) => {
    if (output === 'json' || output === 'yaml') {
      const list = { apiVersion: 'gantry/v1', kind: 'List', items: events }
      if (!watch) await world.out.write(await dataText(list, output))
      else if (output === 'json') await world.out.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
      else for (const event of events) await world.out.write(`---\n${await dataText(event, 'yaml')}`)
      return
    }
    if (events.length === 0) return
    const rows = events.map((event) => aboutEventRow(event, world.clock.now(), world.out.style))
    const all = widths.length === 0 ? [[...aboutEventTitles], ...rows] : rows
    widths = widthsOf(all, widths)
    await world.out.write(all.map((row) => line(row, widths)).join(''))
  }
}

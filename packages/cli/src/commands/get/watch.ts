/** Objects as they change: columns stay where they are, and a line is printed only if it says something new. */
import type { AnyFace } from '@gantry/core'
import type { Input } from '../../command/command.ts'
import type { AnyObject } from '../../objects/access.ts'
import type { Where } from '../../objects/find.ts'
import { type Followed, follow, keyOf } from '../../objects/follow.ts'
import type { Target } from '../../objects/targets.ts'
import { dataText, nameOf } from '../../output/data.ts'
import { goneRow, rowOf, type TableOptions, titlesOf } from '../../output/object-table.ts'
import { type Cell, line, widthsOf } from '../../output/table.ts'
import type { World } from '../../world/world.ts'
import type { getCommand } from './command.ts'

type Flags = Input<typeof getCommand>['flags']

/** Stays until Ctrl-C. */
export async function watchObjects(target: Target, where: Where, flags: Flags, world: World): Promise<never> {
  const printer = printerOf(target.face, flags, world)
  for await (const seen of follow(target, where)) {
    const [fault] = seen.type === 'all' ? seen.group.missing : []
    if (fault) throw fault
    await world.out.write(await printer(seen))
  }
  throw new Error('A watch ends only by being aborted')
}

/** What to write about what was seen; nothing if it was said already. */
function printerOf(face: AnyFace, flags: Flags, world: World): (seen: Followed) => Promise<string> {
  const { output } = flags
  const known = new Map<string, AnyObject>()
  const rows = watchedRows(face, flags['no-headers'])
  return async (seen) => {
    const changes = seen.type === 'all' ? changesTo(known, seen.group.objects) : [seen]
    for (const { type, object } of changes) {
      if (type === 'put') known.set(keyOf(object), object)
      else known.delete(keyOf(object))
    }
    if (output === 'json') return changes.map((change) => `${JSON.stringify(change)}\n`).join('')
    if (output === 'yaml') {
      return (await Promise.all(changes.map(async (change) => `---\n${await dataText(change, 'yaml')}`))).join('')
    }
    if (output === 'name') return changes.map(({ object }) => `${nameOf(object)}\n`).join('')
    const { 'all-tenants': tenants } = flags
    return rows(changes, { wide: output === 'wide', tenants, now: world.clock.now(), style: world.out.style })
  }
}

export type Change = { readonly type: 'put' | 'gone'; readonly object: AnyObject }

/** What a fresh look says beside what was known: also what went away while nobody could look. */
export function changesTo(known: ReadonlyMap<string, AnyObject>, objects: readonly AnyObject[]): Change[] {
  const now = new Set(objects.map(keyOf))
  const gone = [...known.values()].filter((object) => !now.has(keyOf(object)))
  const isNew = (object: AnyObject): boolean =>
    known.get(keyOf(object))?.metadata.resourceVersion !== object.metadata.resourceVersion
  return [
    ...gone.map((object) => ({ type: 'gone' as const, object })),
    ...objects.filter(isNew).map((object) => ({ type: 'put' as const, object })),
  ]
}

/** Titles once, then rows; a column that was once wide stays so. */
export function watchedRows(
  face: AnyFace,
  noHeaders: boolean,
): (changes: readonly Change[], options: TableOptions) => string {
  const said = new Map<string, string>()
  let widths: number[] = []
  let hasTitles = noHeaders
  return (changes, options) => {
    const rows = changes.flatMap(({ type, object }) => {
      const row = type === 'put' ? rowOf(face, object, options) : goneRow(face, object, options)
      // The age always says something new, and is not news.
      const text = row.slice(0, -1).map(textOf).join('\t')
      if (said.get(keyOf(object)) === text) return []
      said.set(keyOf(object), text)
      return [row]
    })
    if (rows.length === 0) return ''
    const titles = hasTitles ? [] : [titlesOf(face, options)]
    hasTitles = true
    widths = widthsOf([...titles, ...rows], widths.length > 0 ? widths : roomFor(titlesOf(face, options)))
    return [...titles, ...rows].map((row) => line(row, widths)).join('')
  }
}

/** Words that change are given room for the longest of them, so that the columns behind stay where they are. */
function roomFor(titles: readonly string[]): number[] {
  return titles.map((title) => (title === 'STATE' || title === 'PHASE' ? 'provisioning'.length : 0))
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

/** What was seen in lives without a death, kept for the next run: to see it anew takes as long as hundreds of deaths. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Made } from './act.ts'
import type { ActionName } from './actions.ts'
import type { Seen } from './campaign.ts'
import type { GroundName } from './ground.ts'
import { livesOn, namesIn } from './kinds-of-life.ts'

type SeenAction = { readonly points: readonly string[]; readonly makes: Made }
type SeenText = { readonly engine: GroundName; readonly actions: Readonly<Record<string, SeenAction>> }

/** What is in the file; where there is none, what `watch` sees, and from then on it is. */
export async function seenIn(
  file: string | undefined,
  engine: GroundName,
  watch: () => Promise<{ readonly seen: Seen; readonly isWhole: boolean }>,
): Promise<Seen> {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(noFile)
  if (text !== undefined) return seenFrom(text, engine)
  const { seen, isWhole } = await watch()
  if (file !== undefined && isWhole) await writeFile(file, seenText(engine, seen))
  return seen
}

export function seenText(engine: GroundName, { passed, makes }: Seen): string {
  const actions = [...passed].map(([action, points]) => [
    action,
    { points: [...points], makes: makes.get(action) ?? {} },
  ])
  return `${JSON.stringify({ engine, actions: Object.fromEntries(actions) }, undefined, 1)}\n`
}

/** Refuses what was seen elsewhere, or of another set of actions: a point of theirs may never be come by here. */
export function seenFrom(text: string, engine: GroundName): Seen {
  const { engine: of, actions } = JSON.parse(text) as SeenText
  const known = new Set<string>(namesIn(livesOn[engine]))
  const isAction = (name: string): name is ActionName => known.delete(name)
  const all = Object.entries(actions).flatMap(([name, each]) => (isAction(name) ? [[name, each] as const] : []))
  const isOther = of !== engine || known.size > 0 || all.length !== Object.keys(actions).length
  if (isOther) throw new Error(`that was seen on ${of}, and not in these lives on ${engine}: remove the file`)
  return {
    passed: new Map(all.map(([name, { points }]) => [name, new Set(points)])),
    makes: new Map(all.map(([name, each]) => [name, each.makes])),
  }
}

function noFile(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

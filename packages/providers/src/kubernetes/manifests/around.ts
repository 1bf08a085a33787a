/** What is there of a set before a pass, and whether somebody else has what we want to make. */
import { type Call, Fault, type Issue } from '@gantry/core'
import { label } from '../../labels.ts'
import { refName } from '../../ref.ts'
import type { KubeObject } from '../api/types/meta.ts'
import type { Wanted } from './apply.ts'
import type { DesiredSet } from './manifests.ts'
import { ownerOf, type SetParts, selectorOf } from './parts.ts'
import { wishes } from './read/read-set.ts'
import { type Entry, entryId, setLabel, shownName } from './record/record.ts'
import { pathOf } from './set-object.ts'
import { type Survey, surveyAny, surveyOwn } from './survey.ts'
import { listOf } from './take-away.ts'

type Around = { readonly live: Survey; readonly waiting: string | undefined }

export async function lookAround(
  { options }: SetParts,
  { ref }: DesiredSet,
  wanted: readonly Wanted[],
  entries: readonly Entry[],
  call: Call,
): Promise<Around> {
  const { objects } = options.api
  const home = options.namespaceOf(ref.tenant)
  const places = [...wanted.map(({ at }) => at), ...entries]
  // Without a record nothing was made.
  const own = entries.length === 0 ? new Map() : await surveyOwn(objects, places, selectorOf(options, ref), call)
  const live = new Map<string, KubeObject>(own)
  const missing = wanted.filter(({ id }) => !live.has(id))
  const others = await surveyAny(
    objects,
    missing.map(({ at }) => at),
    call,
  )
  const known = new Map(entries.map((entry) => [entryId(entry), entry]))
  const foreign: Issue[] = []
  for (const each of missing) {
    const other = others.get(each.id)
    if (!other) continue
    const labels = other.metadata.labels ?? {}
    const isOwn = Object.entries(ownerOf(options, ref)).every(([key, value]) => labels[key] === value)
    const message =
      isOwn || each.body.adopt || known.get(each.id)?.adopted ? undefined : strangerIn(labels, options.installation)
    if (message === undefined) live.set(each.id, other)
    else foreign.push({ path: pathOf(each.set), message, line: each.set.line })
  }
  if (foreign.length > 0) {
    const list = foreign.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw new Fault('foreign_object', `Objects of ${refName(ref)} are there already: ${list}`, { issues: foreign })
  }
  const leaving = wanted.filter(({ id }) => live.get(id)?.metadata.deletionTimestamp !== undefined)
  const names = leaving.map(({ at }) => `${shownName(at, home)} to be gone, which somebody deletes`)
  return { live, waiting: names.length > 0 ? listOf(names) : undefined }
}

function strangerIn(labels: Readonly<Record<string, string>>, installation: string): string {
  const advice = `rename yours, delete it, or annotate yours with ${wishes.existing}: adopt to change it and leave it behind`
  const whose = labels[label.installation]
  if (whose === undefined) return `is there, and is not ours; ${advice}`
  if (whose !== installation) return `belongs to another installation, ${whose}; rename yours`
  const workload = `${labels[label.tenant]}/${labels[label.workload]}`
  const slot = labels[setLabel] === undefined ? '' : ` (slot ${labels[label.slot]})`
  return `belongs to the workload ${workload}${slot}; rename one of them. A set changes in place: blue-green and canary would need its objects twice`
}

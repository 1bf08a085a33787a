/** The text of a set as its objects: any number of documents, Lists opened, empty ones left out. */
import type { Issue } from '@gantry/core'
import { ownPrefix } from '../../../labels.ts'
import { type Fields, isFields } from '../fields.ts'
import { groupOf, type SetObject, setPath } from '../set-object.ts'
import { readDocuments } from './documents.ts'
import { KnownDocuments, piecesOf } from './pieces.ts'

export type ReadSet = { readonly objects: readonly SetObject[]; readonly issues: readonly Issue[] }

const mostIssues = 100
/** Lists in Lists in Lists are nobody's manifests. */
const mostNested = 8

/** `known`: what was read before, to be read no more. */
export function readSet(text: string, known: KnownDocuments = new KnownDocuments()): ReadSet {
  const issues: Issue[] = []
  const objects: SetObject[] = []
  let count = 0
  for (const piece of piecesOf(text)) {
    const documents = known.read(piece.text)
    for (const [at, { value, line, wrong }] of documents.entries()) {
      const number = count + at + 1
      const path = setPath(number)
      issues.push(...wrong.map((each) => ({ path, message: each.message, line: piece.line + each.line })))
      if (value === undefined) continue
      for (const found of opened(value, { number, line: piece.line + line, depth: 0 })) {
        if ('object' in found) objects.push(found.object)
        else issues.push(found.issue)
      }
    }
    // Also one with nothing in it is counted by who looks for the third.
    count += Math.max(1, documents.length)
  }
  if (objects.length === 0 && issues.length === 0) {
    issues.push({ path: 'source.manifests', message: 'has no object in it; write at least one' })
  }
  return { objects, issues: [...issues, ...twice(objects)].slice(0, mostIssues) }
}

type Place = { readonly number: number; readonly line: number; readonly depth: number }
type Found = { readonly object: SetObject } | { readonly issue: Issue }

function* opened(value: unknown, place: Place): Generator<Found> {
  const { number, line } = place
  const wrong = (message: string, kind?: string, name?: string): Found => ({
    issue: { path: setPath(number, kind, name), message, line },
  })
  if (!isFields(value)) yield wrong('is no object: it needs apiVersion, kind and metadata')
  else if (typeof value.kind !== 'string' || value.kind === '') yield wrong('has no kind')
  else if (typeof value.apiVersion !== 'string' || value.apiVersion === '') yield wrong('has no apiVersion', value.kind)
  else if (value.kind.endsWith('List') && Array.isArray(value.items)) {
    const { apiVersion, kind, items } = value
    // As kubectl has it: what a typed list holds need not say its kind again.
    const usual = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) }
    if (place.depth === mostNested) yield wrong('is nested too deeply to be read', kind)
    else {
      for (const item of items) {
        yield* opened(isFields(item) ? { ...usual, ...item } : item, { ...place, depth: place.depth + 1 })
      }
    }
  } else yield* single({ ...value, apiVersion: value.apiVersion, kind: value.kind }, place, wrong)
}

function* single(
  object: Fields & { readonly apiVersion: string; readonly kind: string },
  { number, line }: Place,
  wrong: (message: string, kind?: string, name?: string) => Found,
): Generator<Found> {
  const { apiVersion, kind } = object
  const metadata = isFields(object.metadata) ? object.metadata : {}
  const { name, namespace } = metadata
  if (typeof name !== 'string' || name === '') {
    const why = metadata.generateName === undefined ? '' : '; generateName would make another object at every apply'
    yield wrong(`has no metadata.name${why}`, kind)
  } else if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    yield wrong('has a metadata.namespace that is not text', kind, name)
  } else {
    for (const message of wrongMeta(metadata)) yield wrong(message, kind, name)
    const named = namespace ? { namespace } : {}
    yield { object: { apiVersion, kind, name, ...named, object, document: number, line } }
  }
}

/** For Helm's values, and whatever else is one mapping; throws nothing, and says what is wrong. */
export function readMapping(text: string): { readonly value: Fields; readonly issues: readonly Issue[] } {
  const documents = readDocuments(text)
  const issues: Issue[] = documents.flatMap(({ wrong }) => wrong.map((each) => ({ path: '', ...each })))
  const [first, second] = documents
  if (second && issues.length === 0) issues.push({ path: '', message: 'has a second document', line: second.line })
  const { value, line = 1 } = first ?? {}
  if (issues.length > 0 || value === undefined) return { value: {}, issues }
  return isFields(value) ? { value, issues } : { value: {}, issues: [{ path: '', message: 'is no mapping', line }] }
}

/** Words to us that an author may write; all else below our prefix is ours. */
export const wishes = {
  /** `overwrite`: fields of others that differ are taken. */
  conflicts: 'gantry.dev/conflicts',
  /** `adopt`: an object that is there and nobody's of ours is changed, and left behind when the set goes. */
  existing: 'gantry.dev/existing',
} as const

const wishValues: Readonly<Record<string, string>> = { [wishes.conflicts]: 'overwrite', [wishes.existing]: 'adopt' }

function* wrongMeta({ labels, annotations }: Fields): Generator<string> {
  for (const key of Object.keys(isFields(labels) ? labels : {})) {
    if (key.startsWith(ownPrefix)) yield `has the label ${key}; labels below ${ownPrefix} are Gantry's own`
  }
  for (const [key, value] of Object.entries(isFields(annotations) ? annotations : {})) {
    if (!key.startsWith(ownPrefix)) continue
    const known = wishValues[key]
    if (known === undefined) yield `has the annotation ${key}; those below ${ownPrefix} are Gantry's own`
    else if (value !== known) yield `has the annotation ${key}: ${String(value)}; it can only be ${known}`
  }
}

/** The same kind of the same group and name: one would undo the other. */
function twice(objects: readonly SetObject[]): Issue[] {
  const seen = new Map<string, SetObject>()
  const found: Issue[] = []
  for (const one of objects) {
    const key = JSON.stringify([groupOf(one.apiVersion), one.kind, one.namespace ?? '', one.name])
    const before = seen.get(key)
    if (!before) seen.set(key, one)
    else {
      const { document, kind, name, line } = one
      const message = `is in the set twice; the first is in document ${before.document}, line ${before.line}`
      found.push({ path: setPath(document, kind, name), message, line })
    }
  }
  return found
}

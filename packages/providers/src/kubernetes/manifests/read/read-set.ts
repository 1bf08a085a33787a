/** The text of a set as its objects: any number of documents, Lists opened, empty ones left out. */
import { documentLimits, type Issue } from '@gantry/core'
import { Composer, type CST, type Document, isNode, isScalar, Lexer, LineCounter, Parser } from 'yaml'
import { ownPrefix } from '../../../labels.ts'
import { type Fields, isFields } from '../fields.ts'
import { groupOf, type SetObject, setPath } from '../set-object.ts'
import { toJson } from './to-json.ts'

export type ReadSet = { readonly objects: readonly SetObject[]; readonly issues: readonly Issue[] }

const mostIssues = 100
/** Lists in Lists in Lists are nobody's manifests. */
const mostNested = 8

export function readSet(text: string): ReadSet {
  const lines = new LineCounter()
  const issues: Issue[] = []
  const objects: SetObject[] = []
  let count = 0
  for (const document of documentsOf(text, lines, issues)) {
    count += 1
    readDocument(document, count, lines, objects, issues)
  }
  if (objects.length === 0 && issues.length === 0) {
    issues.push({ path: 'source.manifests', message: 'has no object in it; write at least one' })
  }
  return { objects, issues: [...issues, ...twice(objects)].slice(0, mostIssues) }
}

class TooDeep extends Error {
  readonly offset: number

  constructor(offset: number) {
    super('nested too deeply')
    this.offset = offset
  }
}

/** The parser holds one entry for each open collection, and a few of its own. */
const ownEntries = 3

function* tokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    // What comes behind the parser calls itself for each level.
    if (parser.stack.length > documentLimits.depth + ownEntries) throw new TooDeep(parser.offset)
  }
  yield* parser.end()
}

function* documentsOf(text: string, lines: LineCounter, issues: Issue[]): Generator<Document.Parsed> {
  let count = 0
  try {
    for (const document of composed(text, lines)) {
      count += 1
      yield document
    }
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    const line = lines.linePos(error.offset).line
    issues.push({ path: setPath(count + 1), message: `is nested more than ${documentLimits.depth} deep`, line })
  }
}

/** Every plain word stays text here: what it means is ours to say, in `scalars.ts`. */
function composed(text: string, lines: LineCounter): Iterable<Document.Parsed> {
  const options = { schema: 'failsafe', uniqueKeys: false, merge: false, prettyErrors: false } as const
  return new Composer(options).compose(tokens(text, lines))
}

function readDocument(
  document: Document.Parsed,
  number: number,
  lines: LineCounter,
  objects: SetObject[],
  issues: Issue[],
): void {
  const line = (offset: number): number => lines.linePos(offset).line
  const path = setPath(number)
  for (const error of document.errors) issues.push({ path, message: error.message, line: line(error.pos[0]) })
  if (document.errors.length > 0 || isEmpty(document)) return
  const value = toJson(document, (node, message) => {
    issues.push({ path, message, line: line(isNode(node) ? (node.range?.[0] ?? 0) : 0) })
  })
  if (value === undefined || value === null) return
  for (const found of opened(value, { number, line: line(document.contents?.range?.[0] ?? 0), depth: 0 })) {
    if ('object' in found) objects.push(found.object)
    else issues.push(found.issue)
  }
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '' && contents.type === 'PLAIN')
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
  const lines = new LineCounter()
  const issues: Issue[] = []
  const [document, second] = documentsOf(text, lines, issues)
  if (!document || isEmpty(document)) return { value: {}, issues }
  const line = (offset: number): number => lines.linePos(offset).line
  for (const error of document.errors) issues.push({ path: '', message: error.message, line: line(error.pos[0]) })
  if (second) issues.push({ path: '', message: 'has a second document', line: line(second.range[0]) })
  if (issues.length > 0) return { value: {}, issues }
  const value = toJson(document, (node, message) => {
    issues.push({ path: '', message, line: line(isNode(node) ? (node.range?.[0] ?? 0) : 0) })
  })
  if (issues.length > 0 || value === null) return { value: {}, issues }
  if (isFields(value)) return { value, issues }
  return { value: {}, issues: [{ path: '', message: 'is no mapping', line: 1 }] }
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

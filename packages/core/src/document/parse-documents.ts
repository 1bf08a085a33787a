/** Text from anywhere, as plain data or as an `invalid` fault; in bounded time and memory, whatever the text is. */
import { Composer, type Document, isMap, isNode, isScalar, isSeq, LineCounter } from 'yaml'
import { Fault, type Issue } from '../fault.ts'
import type { Path } from '../path.ts'
import { documentLimits } from './limits.ts'
import { checkPlainJson, textFault } from './plain-json.ts'
import { checkNodes } from './yaml-nodes.ts'
import { type Replace, replaceTexts } from './yaml-replace.ts'
import { keepText } from './yaml-text.ts'
import { readTokens } from './yaml-tokens.ts'

export type ParsedDocument = {
  readonly value: unknown
  /** The line that a path of this document is written on, or that of the nearest thing around it. */
  readonly lineOf: (path: Path) => number
}

export type ParseOptions = {
  /** Where a number or a boolean is meant as the text that it is written as: `3.10` is a version, and not 3.1. */
  readonly textAt?: (path: Path) => boolean
  /** For texts that stand for others. Is not asked about comments, and cannot change what is a text and what is a list. */
  readonly replace?: Replace
}

/** An environment knows text only. */
export const envIsText = (path: Path): boolean => path.at(-2) === 'env'

/** Reads one or several documents of YAML or JSON. Empty ones are left out, as between two `---`. */
export function parseDocuments(source: string | Uint8Array, parseOptions: ParseOptions = {}): ParsedDocument[] {
  const text = decode(source)
  const lines = new LineCounter()
  const issues: Issue[] = []
  const found: ParsedDocument[] = []
  const places = placesOf(text)
  let at = 0
  for (const document of compose(text, lines)) {
    const own = issuesOf(document, lines, parseOptions)
    if (own.length === 0 && issues.length === 0 && !isEmpty(document))
      found.push(readDocument(document, lines, at, places))
    issues.push(...own)
    at += 1
  }
  if (issues.length > 0) throw badDocument(issues.slice(0, documentLimits.issues))
  return found
}

function* compose(text: string, lines: LineCounter): Generator<Document.Parsed, void> {
  const tokens = readTokens(text, lines.addNewLine)
  // Unique keys are checked by us: the library compares each with each, which a long document turns into hours.
  const options = { version: '1.2', schema: 'core', uniqueKeys: false, merge: false, prettyErrors: false } as const
  let count = 0
  for (const document of new Composer(options).compose(tokens)) {
    if (++count > documentLimits.documents) {
      throw new Fault('document_too_large', `The text has more than ${documentLimits.documents} documents; split it`)
    }
    yield document
  }
}

/** Nothing between two `---`; a written `null` is something. */
function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '')
}

function decode(source: string | Uint8Array): string {
  const size = source.length
  if (size > documentLimits.bytes) {
    const most = `${documentLimits.bytes / 1024 / 1024} MiB`
    throw new Fault('document_too_large', `The text is larger than the ${most} that are read at once; split it`)
  }
  const text = typeof source === 'string' ? source : decodeUtf8(source)
  const wrong = textFault(text)
  if (wrong === undefined) return text
  throw badDocument([{ path: '', message: wrong, line: lineOfFault(text) }])
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Fault('bad_document', 'The text is not UTF-8; save it as UTF-8 without a special encoding', { cause })
  }
}

function lineOfFault(text: string): number {
  return text.split('\n').findIndex((line) => textFault(line) !== undefined) + 1
}

function issuesOf(document: Document.Parsed, lines: LineCounter, { textAt, replace }: ParseOptions): Issue[] {
  const line = (offset: number): number => lines.linePos(offset).line
  const issues: Issue[] = document.errors.map((error) => ({
    path: '',
    message: error.message,
    line: line(error.pos[0]),
  }))
  if (issues.length > 0) return issues
  if (textAt) keepText(document, textAt)
  if (replace) replaceTexts(document, replace, textAt ?? (() => false))
  checkNodes(document, (node, path, message) => {
    issues.push({ path, message, line: line(rangeStart(node) ?? 0) })
  })
  return issues
}

function readDocument(document: Document.Parsed, lines: LineCounter, at: number, places: () => Placed): ParsedDocument {
  const lineNow = (path: Path): number => lines.linePos(offsetOf(document, path)).line
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: documentLimits.aliases })
  } catch (cause) {
    // The library's word for an alias bomb.
    const message = 'has aliases that stand for too much; write the values out'
    throw badDocument([{ path: '', message, line: lineNow([]) }], cause)
  }
  const issues = checkPlainJson(value, lineNow)
  if (issues.length > 0) throw badDocument(issues)
  return {
    value,
    lineOf(path) {
      const { documents, lines } = places()
      const again = documents[at]
      return again === undefined ? 1 : lines.linePos(offsetOf(again, path)).line
    },
  }
}

type Placed = { readonly documents: readonly Document.Parsed[]; readonly lines: LineCounter }

/**
 * What tells lines is many times larger than the values. So it is not kept, and the text is read again when somebody asks,
 * which is when something is wrong.
 */
function placesOf(text: string): () => Placed {
  let found: Placed | undefined
  return () => {
    const lines = new LineCounter()
    found ??= { documents: [...compose(text, lines)], lines }
    return found
  }
}

/** Of the deepest part of the path that is there; of a field, where its key is. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents
  let offset = rangeStart(node) ?? 0
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === part) : undefined
    const place = pair ? pair.key : isSeq(node) ? node.items[Number(part)] : undefined
    if (place === undefined) break
    offset = rangeStart(place) ?? offset
    node = pair ? pair.value : place
  }
  return offset
}

function rangeStart(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function badDocument(issues: readonly Issue[], cause?: unknown): Fault {
  const [first] = issues
  const where = first?.path ? `${first.path} ` : ''
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const message = `The document cannot be read. Line ${first?.line ?? 1}: ${where}${first?.message ?? ''}${more}`
  return new Fault('bad_document', message, { issues, ...(cause !== undefined && { cause }) })
}

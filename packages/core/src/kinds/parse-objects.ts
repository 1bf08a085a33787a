/** A file as people write it, to checked objects: every offending field of every document at once, each with its line. */
import { envIsText, type ParsedDocument, parseDocuments } from '../document/parse-documents.ts'
import { Fault, type Issue, isFault } from '../fault.ts'
import { parsePath } from '../path.ts'
import type { Manifest } from './envelope.ts'
import { invalidObject } from './manifest.ts'
import { kindOf } from './registry.ts'
import { withPlaces } from './workload/places.ts'

export type ParseObjectsOptions = {
  /** The folder of the file, absolute: what a relative `workingDir`, or `source` of a volume, is relative to. Left out: none may be. */
  readonly folder?: string
}

export function parseObjects(source: string | Uint8Array, { folder }: ParseObjectsOptions = {}): Manifest[] {
  const documents = parseDocuments(source, { textAt: envIsText })
  if (documents.length === 0) throw new Fault('bad_document', 'The text is empty: there is no object in it')
  const seen = new Set<string>()
  const results = documents.map((document) => readOne(placed(document, folder), seen))
  const faults = results.filter((result) => isFault(result))
  const [first] = faults
  if (!first) return results.filter((result): result is Manifest => !isFault(result))
  const issues = faults.flatMap((fault) => fault.issues)
  throw new Fault(first.reason, first.message, { issues, cause: first })
}

function placed(document: ParsedDocument, folder: string | undefined): ParsedDocument {
  return folder === undefined ? document : { ...document, value: withPlaces(document.value, folder) }
}

/** A fault is kept, so that the documents after it are read too. */
function readOne({ value, lineOf }: ParsedDocument, seen: Set<string>): Manifest | Fault {
  try {
    const manifest = kindOf(value).parse(value)
    refuseTwice(manifest, seen)
    return manifest
  } catch (error) {
    if (!isFault(error, 'invalid')) throw error
    const issues = error.issues.map((issue): Issue => ({ ...issue, line: lineOf(parsePath(issue.path)) }))
    return new Fault(error.reason, error.message, { issues, cause: error })
  }
}

/** Two wishes for one object in one file: whichever won, half of the file would not be true. */
function refuseTwice({ kind, metadata: { tenant, name } }: Manifest, seen: Set<string>): void {
  const key = JSON.stringify([kind, tenant, name])
  if (seen.has(key)) throw invalidObject(`${kind} "${name}"`, [{ path: 'metadata.name', message: 'is there twice' }])
  seen.add(key)
}

/** A file as people write it, to checked objects: every offending field of every document at once, each with its line. */
import { type ParsedDocument, parseDocuments } from '../document/parse-documents.ts'
import { Fault, type Issue, isFault } from '../fault.ts'
import { parsePath } from '../path.ts'
import type { Manifest } from './envelope.ts'
import { kindOf } from './registry.ts'

export function parseObjects(source: string | Uint8Array): Manifest[] {
  const documents = parseDocuments(source)
  if (documents.length === 0) throw new Fault('bad_document', 'The text is empty: there is no object in it')
  const results = documents.map(readOne)
  const faults = results.filter((result) => isFault(result))
  const [first] = faults
  if (!first) return results as Manifest[]
  const issues = faults.flatMap((fault) => fault.issues)
  throw new Fault(first.reason, first.message, { issues, cause: first })
}

/** A fault is kept, so that the documents after it are read too. */
function readOne({ value, lineOf }: ParsedDocument): Manifest | Fault {
  try {
    return kindOf(value).parse(value)
  } catch (error) {
    if (!isFault(error, 'invalid')) throw error
    const issues = error.issues.map((issue): Issue => ({ ...issue, line: lineOf(parsePath(issue.path)) }))
    return new Fault(error.reason, error.message, { issues, cause: error })
  }
}

/** Bytes to JSON. Nothing is guessed: what is not UTF-8 or not JSON is refused. */
import { isUtf8 } from 'node:buffer'
import { Fault } from '@gantry/core'

export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Fault('bad_document', 'The body is empty, and should be JSON')
  if (!isUtf8(bytes)) throw new Fault('bad_document', 'The body is not UTF-8, and should be JSON in UTF-8')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The parser's own words quote the body, which may hold what must not be seen.
    throw new Fault('bad_document', 'The body is not JSON; check its brackets, commas and quotes')
  }
}

/**
 * What a backup looks like: a line that says what it is, a line for each row, and a last one that proves the others. JSON
 * lines, so that it can be read in ten years with nothing but a text editor.
 */
import { createHash, type Hash } from 'node:crypto'
import { Fault } from '@gantry/core'
import type { SnapshotRow } from '@gantry/store'

const format = 1

export type Header = {
  readonly gantry: 'backup'
  readonly format: number
  readonly createdAt: string
}

/** The text of the backup, in pieces of whole lines. */
export async function* encode(rows: AsyncIterable<SnapshotRow>, now: number): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  const line = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(text)
    return text
  }
  const header: Header = { gantry: 'backup', format, createdAt: new Date(now).toISOString() }
  yield line(header)
  for await (const row of rows) {
    count += 1
    yield line(row)
  }
  yield `${JSON.stringify({ type: 'end', rows: count, sha256: hash.digest('hex') })}\n`
}

type End = { readonly type: 'end'; readonly rows: number; readonly sha256: string }

const rowTypes: ReadonlySet<string> = new Set<SnapshotRow['type']>(['head', 'object', 'usage', 'lease', 'audit'])

/** The rows of a backup; fails at the end, at the latest, if anything is not as it was written. */
export async function* decode(
  lines: AsyncIterable<string>,
  seen: (header: Header) => void,
): AsyncGenerator<SnapshotRow> {
  const hash = createHash('sha256')
  let count = 0
  let state: 'begin' | 'rows' | 'end' = 'begin'
  for await (const text of lines) {
    const value = parse(text)
    if (state === 'end') throw damaged('something follows its end')
    if (state === 'begin') {
      seen(headerOf(value))
      state = 'rows'
    } else if (value.type === 'end') {
      checkEnd(value as unknown as End, count, hash)
      state = 'end'
      continue
    } else {
      if (!rowTypes.has(String(value.type))) throw damaged(`line ${count + 2} is of no known type`)
      count += 1
      yield value as unknown as SnapshotRow
    }
    hash.update(`${text}\n`)
  }
  if (state !== 'end') throw damaged('its end is missing')
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw damaged('a line of it is not JSON', cause)
  }
}

function headerOf(value: Record<string, unknown>): Header {
  if (value.gantry !== 'backup') throw damaged('it is not a backup of Gantry')
  if (typeof value.format === 'number' && value.format > format) {
    const message = `The backup was made by a newer Gantry (format ${value.format}; this one knows ${format})`
    throw new Fault('backup_too_new', `${message}. Restore it with that version`)
  }
  return value as unknown as Header
}

function checkEnd({ rows, sha256 }: End, count: number, hash: Hash): void {
  if (rows !== count) throw damaged(`it has ${count} rows, and had ${rows}`)
  if (sha256 !== hash.digest('hex')) throw damaged('its content does not match its checksum')
}

export function damaged(why: string, cause?: unknown): Fault {
  return new Fault('backup_damaged', `The backup cannot be used: ${why}. Nothing was restored; take another one`, {
    cause,
  })
}

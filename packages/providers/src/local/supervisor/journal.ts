/**
 * The durable memory of the supervisor: one record per line. `write` hands a record to the kernel at once, which is enough
 * for it to survive the death of this process; `settled` waits until it survives the loss of power too. What others are
 * told is told after `settled`.
 */
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { Fault } from '@gantry/core/base'
import { codeOf } from '../../proc/processes.ts'
import { fold, type JournalRecord, type States } from './process-state.ts'

const sync = promisify(fdatasync)
const compactAfterBytes = 4 << 20

export type Journal = {
  readonly states: States
  write(record: JournalRecord): void
  /** Resolves when all that was written up to now is durable. */
  settled(): Promise<void>
  close(): void
}

export function openJournal(path: string): Journal {
  const states = read(path)
  let file = compactOrGoOn(path, states)
  let size = fstatSync(file).size
  let compactAt = size + compactAfterBytes
  let written = 0
  let durable = 0
  let syncing: Promise<void> | undefined

  return {
    states,
    write(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`)
      writeWhole(file, line, () => ftruncateSync(file, size))
      size += line.length
      written += 1
      fold(states, record)
    },
    async settled() {
      const upTo = written
      while (durable < upTo) {
        // One flush carries all that came in while the one before it was under way.
        syncing ??= flush().finally(() => {
          syncing = undefined
        })
        await syncing
      }
    },
    close: () => closeSync(file),
  }

  async function flush(): Promise<void> {
    const upTo = written
    if (size > compactAt) {
      const old = file
      file = compactOrGoOn(path, states)
      size = fstatSync(file).size
      compactAt = size + compactAfterBytes
      closeSync(old)
    } else {
      await sync(file)
    }
    durable = upTo
  }
}

function writeWhole(file: number, bytes: Buffer, undo: () => void): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  } catch (error) {
    // Half a line in the middle would make all after it unreadable.
    undo()
    throw new Fault('store_full', `The supervisor cannot write its journal (${codeOf(error)}): make room on its disk`, {
      cause: error,
    })
  }
}

function read(path: string): States {
  const states: States = new Map()
  for (const line of textOf(path).split('\n')) {
    if (line === '') continue
    const record = parse(line)
    // The last line may be half of one, if the machine lost power while it was written; nobody was told of it.
    if (!record) break
    fold(states, record)
  }
  return states
}

function parse(line: string): JournalRecord | undefined {
  try {
    return JSON.parse(line) as JournalRecord
  } catch {
    return undefined
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** On a full disk there is no room for a second one; the first is as good, only longer. */
function compactOrGoOn(path: string, states: States): number {
  try {
    return compact(path, states)
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC' && codeOf(error) !== 'EDQUOT') throw error
    rmSync(`${path}.new`, { force: true })
    return openSync(path, 'a', 0o600)
  }
}

/** Writes what is known as a new journal, and puts it in the old one's place in one step. */
function compact(path: string, states: States): number {
  const draft = `${path}.new`
  const file = openSync(draft, 'w', 0o600)
  const lines = [...states.values()].map((state) => `${JSON.stringify({ type: 'whole', state })}\n`)
  const bytes = Buffer.from(lines.join(''))
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  fsyncSync(file)
  renameSync(draft, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
  return file
}

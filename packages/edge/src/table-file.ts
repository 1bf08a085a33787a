/** The last table, on disk: what the edge starts from when nobody is there to tell it anything. */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type EdgeTable, emptyTable } from './table.ts'
import { readTable } from './table-schema.ts'

export interface TableFile {
  /** The table kept last; the empty one if none ever was. `trouble`: what was kept does not read, and was put aside. */
  load(): Promise<{ readonly table: EdgeTable; readonly trouble?: string }>
  /** Done when it would survive the loss of power; half a table is never seen. */
  keep(table: EdgeTable): Promise<void>
}

export function tableFile(path: string): TableFile {
  return { load: () => load(path), keep: (table) => keep(path, table) }
}

async function load(path: string): Promise<{ table: EdgeTable; trouble?: string }> {
  await sweep(dirname(path))
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return { table: emptyTable }
    throw error
  }
  const read = readTable(parsed(text))
  if ('table' in read) return read
  // Kept for people to look at; the next table from the server makes the edge whole again.
  await rename(path, `${path}.unreadable`)
  return { table: emptyTable, trouble: `the table in ${path} does not read (${read.wrong}); it was put aside` }
}

const draft = /^\.table\.(\d+)\.next$/

/** What edges were writing when they were killed. One that lives still needs its own. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })
  const left = names.filter((name) => {
    const pid = draft.exec(name)?.[1]
    return pid !== undefined && !isAlive(Number(pid))
  })
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's lives too.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

async function keep(path: string, table: EdgeTable): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const next = join(folder, `.table.${process.pid}.next`)
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(table))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

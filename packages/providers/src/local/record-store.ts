/**
 * Records as files, one each: written whole, or not at all. What was put is there for whoever comes after us from then on;
 * that it also outlives the loss of power is waited for with `settled`, while other things are done.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault } from '@gantry/core'
import { at, isErrno } from './errno.ts'

export class RecordStore<T> {
  readonly #folder: string
  readonly #records = new Map<string, T>()
  #settling: Promise<void> | undefined
  #unsettled = false
  /** Files whose content may be lost with the power, as yet. */
  readonly #noted = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const file of await readdir(this.#folder)) {
      // What was being written when somebody died was never there.
      if (!file.endsWith('.json')) await rm(join(this.#folder, file), { force: true })
      else await this.#take(file)
    }
  }

  get(key: string): T | undefined {
    return this.#records.get(key)
  }

  /** As it is on the disk now, where somebody else may have written. */
  async look(key: string): Promise<T | undefined> {
    const known = this.#records.get(key)
    if (known) return known
    const file = `${key}.json`
    return (await isThere(join(this.#folder, file))) ? await this.#read(file) : undefined
  }

  values(): T[] {
    return [...this.#records.values()]
  }

  /** Its content is durable before it has its name, so that a name never stands for half of it. */
  async put(key: string, record: T): Promise<void> {
    await writeWhole(join(this.#folder, `${key}.json`), JSON.stringify(record))
    this.#records.set(key, record)
    this.#unsettled = true
  }

  /**
   * As `put`, for what can be told again: its content is waited for with `settled` too. If the power is lost before, it was
   * never there; so one that is there already is never in danger.
   */
  async note(key: string, record: T): Promise<void> {
    if (this.#records.has(key)) return await this.put(key, record)
    const path = join(this.#folder, `${key}.json`)
    await writeWhole(path, JSON.stringify(record), 'later')
    this.#records.set(key, record)
    this.#noted.add(path)
    this.#unsettled = true
  }

  /** Resolves when all that was put is durable with its name. One wait carries all who came meanwhile. */
  async settled(): Promise<void> {
    while (this.#unsettled || this.#settling) {
      this.#settling ??= this.#settle().finally(() => {
        this.#settling = undefined
      })
      await this.#settling
    }
  }

  async #settle(): Promise<void> {
    this.#unsettled = false
    const noted = [...this.#noted]
    try {
      await Promise.all([...noted.map(syncFile), sync(this.#folder)])
      for (const path of noted) this.#noted.delete(path)
    } catch (error) {
      this.#unsettled = true
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    const path = join(this.#folder, `${key}.json`)
    await rm(path, { force: true })
    this.#records.delete(key)
    this.#noted.delete(path)
  }

  async #take(file: string): Promise<void> {
    const path = join(this.#folder, file)
    // Noted, and then the power was lost: a name without its content.
    if ((await stat(path)).size === 0) await rm(path, { force: true })
    else this.#records.set(file.slice(0, -'.json'.length), await this.#read(file))
  }

  async #read(file: string): Promise<T> {
    const path = join(this.#folder, file)
    try {
      return JSON.parse(await readFile(path, 'utf8')) as T
    } catch (cause) {
      const message = `The record ${path} cannot be read; restore it, or remove it to forget what it tells of`
      throw new Fault('engine_refused', message, { cause })
    }
  }
}

/** Durable with its name. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await writeWhole(path, text)
  await sync(dirname(path))
}

/** A file or a folder. */
async function sync(path: string): Promise<void> {
  const found = await open(path, 'r')
  await found.sync().finally(() => found.close())
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}

/** What was deleted meanwhile has nothing to lose. */
async function syncFile(path: string): Promise<void> {
  await sync(path).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error
  })
}

async function writeWhole(path: string, text: string, durable: 'now' | 'later' = 'now'): Promise<void> {
  const draft = `${path}.draft`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await at(path, file.writeFile(text))
      if (durable === 'now') await file.datasync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT')) throw error
    await rm(draft, { force: true })
    throw error
  }
}

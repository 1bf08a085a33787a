/** Records as files, one each: written whole and durable, or not at all. */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault } from '@gantry/core'
import { at, isErrno } from './errno.ts'

export class RecordStore<T> {
  readonly #folder: string
  readonly #records = new Map<string, T>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const file of await readdir(this.#folder)) {
      // What was being written when somebody died was never there.
      if (!file.endsWith('.json')) await rm(join(this.#folder, file), { force: true })
      else this.#records.set(file.slice(0, -'.json'.length), await this.#read(file))
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
    return (await readdir(this.#folder)).includes(file) ? await this.#read(file) : undefined
  }

  values(): T[] {
    return [...this.#records.values()]
  }

  async put(key: string, record: T): Promise<void> {
    const path = join(this.#folder, `${key}.json`)
    await writeDurably(path, JSON.stringify(record))
    this.#records.set(key, record)
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.#folder, `${key}.json`), { force: true })
    this.#records.delete(key)
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

export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await at(path, file.writeFile(text))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    const folder = await open(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT')) throw error
    await rm(draft, { force: true })
    throw error
  }
}

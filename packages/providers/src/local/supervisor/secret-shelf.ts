/**
 * The values of secret variables of each process: needed whenever it is started again, also by a supervisor that was not
 * there when they were given. In memory, and in files that are memory as well; never on a disk.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@gantry/core/base'
import { codeOf } from '../../proc/processes.ts'

export type SecretValues = Readonly<Record<string, Secret>>

export type SecretShelf = {
  /** Undefined: not known any more; they must be given again. */
  get(id: string): SecretValues | undefined
  put(id: string, values: SecretValues): void
  forget(id: string): void
}

export function secretShelf(memoryDir: string | undefined): SecretShelf {
  const values = new Map<string, SecretValues>()
  const folder = memoryDir === undefined ? undefined : join(memoryDir, 'env')
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fileOf = (id: string): string | undefined => (folder === undefined ? undefined : join(folder, `${id}.json`))
  return {
    get(id) {
      const held = values.get(id) ?? readShelf(fileOf(id))
      if (held) values.set(id, held)
      return held
    },
    put(id, given) {
      values.set(id, given)
      const file = fileOf(id)
      if (file === undefined) return
      const plain = Object.fromEntries(Object.entries(given).map(([name, secret]) => [name, secret.reveal()]))
      writeFileSync(`${file}.new`, JSON.stringify(plain), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    forget(id) {
      values.delete(id)
      const file = fileOf(id)
      if (file !== undefined) rmSync(file, { force: true })
    },
  }
}

function readShelf(file: string | undefined): SecretValues | undefined {
  if (file === undefined) return undefined
  try {
    const plain = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, new Secret(value)]))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Why the last start failed: outlives the keeper, for whoever reports on it afterwards. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keeperFiles } from './protocol.ts'

export type Failure = {
  readonly why: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export function recordFailure(folder: string, failure: Failure): void {
  writeFileSync(join(folder, keeperFiles.failure), JSON.stringify(failure), { mode: 0o600 })
}

export function forgetFailure(folder: string): void {
  rmSync(join(folder, keeperFiles.failure), { force: true })
}

export function lastFailure(folder: string): Failure | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, keeperFiles.failure), 'utf8')) as Failure
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What is built or unpacked once per version and kept: whole or absent, also when two processes make it at once. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Call, type Clock, systemClock } from '@gantry/core'
import { lock } from './lock.ts'

/** The user's cache folder, where builds outlive reboots. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gantry', 'engines')
}

export type Recipe = {
  readonly root: string
  /** Name and version: `postgres-18.4.0`. */
  readonly key: string
  /** Fills an empty folder; what it leaves behind when it throws is removed. */
  readonly build: (folder: string, call: Call) => Promise<void>
  /** Whether what is there is still whole; left out: what is there is taken as it is. */
  readonly intact?: (folder: string) => Promise<boolean>
}

/** Answers the folder `root/key`, built if it was not there. Whoever comes second waits for the first. */
export async function buildOnce(recipe: Recipe, call: Call, clock: Clock = systemClock): Promise<string> {
  const { root, key, build, intact = async () => true } = recipe
  const target = join(root, key)
  const usable = async (): Promise<boolean> => (await exists(target)) && (await intact(target))
  if (await usable()) return target
  await mkdir(root, { recursive: true })
  const held = await lock(join(root, `${key}.lock`), { clock, signal: call.signal })
  const draft = join(root, `${key}.${randomUUID()}.draft`)
  try {
    if (await usable()) return target
    await mkdir(draft)
    await build(draft, call)
    // A damaged copy may still be running somewhere: it is moved aside by name first, then removed.
    if (await exists(target)) {
      const damaged = `${draft}.damaged`
      await rename(target, damaged)
      await rm(damaged, { recursive: true })
    }
    await rename(draft, target)
    return target
  } finally {
    await rm(draft, { recursive: true, force: true })
    held.release()
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

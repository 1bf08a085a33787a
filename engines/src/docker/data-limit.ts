/** A disk that is soon full: the data of the daemon in memory, of a size that was asked for. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Call } from '@gantry/core'
import type { Site } from '../engine.ts'
import { dataRoot } from './places.ts'
import { busyboxOf } from './programs.ts'

const run = promisify(execFile)

/** Taken off with all other mounts below the folder when the instance is cleared. */
export async function limitData({ folder, programs }: Site, bytes: number, call: Call): Promise<void> {
  await mkdir(dataRoot(folder))
  const options = ['-t', 'tmpfs', '-o', `size=${bytes},mode=711`, 'gantry-docker', dataRoot(folder)]
  await run(busyboxOf(programs), ['mount', ...options], call)
}

/** A disk that is soon full: a little of the memory, mounted where a folder would be. Only root can do that. */
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type SmallDisk = {
  /** Leaves no room for another byte. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<void>
}

/** Throws where it is not allowed. `mode` as of the folder that it stands for. */
export async function smallDisk(path: string, megabytes: number, mode: string): Promise<SmallDisk> {
  await mkdir(path, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=${mode}`, 'gantry-test', path])
  const ballast = join(path, 'ballast')
  return {
    async fill() {
      const file = await open(ballast, 'a')
      try {
        // Ever smaller, so that nothing is left over.
        for (let size = 1 << 20; size >= 1; size >>= 2) while (await fits(file, size));
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    unmount: async () => void (await run('umount', [path])),
  }
}

async function fits(file: Awaited<ReturnType<typeof open>>, size: number): Promise<boolean> {
  try {
    await file.appendFile(Buffer.alloc(size, 1))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}

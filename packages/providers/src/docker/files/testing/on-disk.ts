/** Which files of a folder have a text in them: on its own disk only, so that what is mounted into it does not count. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export async function filesOnDisk(folder: string, texts: readonly string[]): Promise<string[]> {
  const patterns = texts.flatMap((text) => ['-e', text])
  // Others make and remove files meanwhile: those that are gone are no trouble, and grep says so with its exit code.
  const search = ['grep', '-s', '-l', '-a', '-F', ...patterns, '--', '{}', '+']
  const { stdout } = await run('find', [folder, '-xdev', '-type', 'f', '-exec', ...search], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { code?: unknown; stdout?: string }) => {
    if (error.code !== 1 || error.stdout === undefined) throw error
    return { stdout: error.stdout }
  })
  return stdout.split('\n').filter((line) => line !== '')
}

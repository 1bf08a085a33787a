/** Whether anything of an installation still runs: every process of ours, and its children, carries where its data is. */
import { readdir, readFile, readlink } from 'node:fs/promises'

/** Pids, with what they run, of processes that were started for this data folder. Zombies do not count. */
export async function processesOf(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      const environment = await readFile(`/proc/${name}/environ`, 'utf8')
      const command = (await readFile(`/proc/${name}/cmdline`, 'utf8')).split('\0').join(' ').trim()
      const place = await readlink(`/proc/${name}/cwd`)
      if (command !== '' && [environment, command, place].some((text) => text.includes(dataDir))) {
        found.push(`${name} ${command}`)
      }
    } catch (error) {
      // Gone between the listing and the look, or nobody's business.
      if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code))))
        throw error
    }
  }
  return found
}

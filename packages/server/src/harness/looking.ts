/** Everything that an installation has of its workloads, wherever it is: objects, processes, files. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Supervisor } from '@gantry/providers/local'
import type { Running } from './ground.ts'

const call = () => ({ signal: AbortSignal.timeout(30_000) })

/** What the supervisor calls the edge. */
export const edgePart = 'gantry-edge'

/** By the name that the supervisor has for it. */
export async function supervised(supervisor: Supervisor): Promise<ReadonlyMap<string, Running>> {
  const all = await supervisor.list({}, call())
  return new Map(all.map(({ id, phase, pid, restarts }) => [id, { phase, run: String(pid), restarts }]))
}

/** Processes of the machine that the supervisor of this data folder has started: what they run for, by pid. */
export async function marked(dataDir: string): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(unlessGone)
    const mark = /(?:^|\0)GANTRY_PROCESS=([^\0]*)\.\d+\.[0-9a-f]+(?:\0|$)/.exec(environment)?.[1]
    if (mark === undefined) continue
    const place = await readlink(`/proc/${name}/cwd`).catch(unlessGone)
    if (place.includes(dataDir)) found.set(Number(name), mark)
  }
  return found
}

/** Of a process that ended while we looked nothing is left to be read. */
function unlessGone(error: unknown): string {
  if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code))) return ''
  throw error
}

/** Not of a workload, or kept by rules of their own: databases, lines and figures of the past, what the edge has written. */
const apart = [
  /^(?:gantry|lock)\.sqlite/,
  /^(?:logs|samples)\//,
  /^supervisor\/(?:pipes\/|supervisor\.log)/,
  /^supervisor\/(?:raw|output)\/gantry-edge/,
]

/** Files and empty folders, relative to their roots. */
export async function filesBelow(roots: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(roots.map((root) => walk(root, '')))
  return all.flat().filter((path) => !apart.some((rule) => rule.test(path)))
}

async function walk(root: string, below: string): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(below, entry.name)
      const inside = entry.isDirectory() ? await walk(root, path) : []
      return inside.length > 0 ? inside : [entry.isDirectory() ? `${path}/` : path]
    }),
  )
  return found.flat()
}

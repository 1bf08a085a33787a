/** The mark that every process of a tree inherits in its environment, and finding those that bear it. */
import { allPids, environOf, type ProcessIdentity, type ProcessStat, rawStat, statOf } from './processes.ts'

export const markerName = 'GANTRY_PROCESS'
export const execMarkerName = 'GANTRY_EXEC'
export const outputMarkerName = 'GANTRY_OUTPUT'

export type Marking = 'same' | 'other' | 'absent' | 'overwritten'

export function markingOf(pid: number, marker: string): Marking {
  const environ = environOf(pid)
  if (environ === undefined) return 'absent'
  if (hasEntry(environ, `${markerName}=${marker}`)) return 'same'
  if (environ.includes(`${markerName}=`)) return 'other'
  // A program that shows a title of its own (nginx, postgres) writes it here: then nothing reads like NAME=value.
  return looksLikeEnvironment(environ) ? 'absent' : 'overwritten'
}

function looksLikeEnvironment(environ: Buffer): boolean {
  const end = environ.indexOf(0)
  const first = environ.subarray(0, end < 0 ? environ.length : end).toString('latin1')
  return /^[^=\s]+=/.test(first)
}

function hasEntry(environ: Buffer, entry: string): boolean {
  const wanted = Buffer.from(entry)
  for (let at = environ.indexOf(wanted); at >= 0; at = environ.indexOf(wanted, at + 1)) {
    const before = at === 0 || environ[at - 1] === 0
    const after = at + wanted.length
    if (before && (after === environ.length || environ[after] === 0)) return true
  }
  return false
}

/**
 * All living processes with this entry in their environment, and all that descend from them or from `known`: a child that
 * cleared its environment is found by its parent, one that left its parent by its mark.
 */
export function bearersOf(name: string, marker: string, known: readonly ProcessIdentity[] = []): ProcessStat[] {
  const entry = `${name}=${marker}`
  const stats = new Map<number, ProcessStat>()
  for (const pid of allPids()) {
    const stat = rawStat(pid)
    if (stat) stats.set(pid, stat)
  }
  const found = new Set<number>()
  for (const { pid, started } of known) if (stats.get(pid)?.started === started) found.add(pid)
  for (const pid of stats.keys()) {
    if (pid === process.pid || found.has(pid)) continue
    const environ = environOf(pid)
    if (environ && hasEntry(environ, entry)) found.add(pid)
  }
  for (let grew = true; grew; ) {
    grew = false
    for (const [pid, stat] of stats) {
      if (found.has(pid) || pid === process.pid) continue
      if (found.has(stat.parent) || (stat.session !== pid && found.has(stat.session))) {
        found.add(pid)
        grew = true
      }
    }
  }
  // Looked at again, for pids that went to someone else while we were looking.
  return [...found].flatMap((pid) => {
    const now = statOf(pid)
    return now && now.started === stats.get(pid)?.started ? [now] : []
  })
}

/** Reading and writing the files of control groups. What is gone reads as empty: groups end under our hands. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, type ProcessIdentity, statOf } from '../../../proc/processes.ts'

export function pidsIn(folder: string): number[] {
  const text = readGroupFile(folder, 'cgroup.procs') ?? ''
  return text.split('\n').filter(Boolean).map(Number)
}

export function identitiesIn(folder: string): ProcessIdentity[] {
  return pidsIn(folder).flatMap((pid) => {
    const stat = pid === process.pid ? undefined : statOf(pid)
    return stat ? [{ pid, started: stat.started }] : []
  })
}

export function readGroupFile(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENODEV', 'EOPNOTSUPP'].includes(codeOf(error))) return undefined
    throw error
  }
}

export function writeGroupFile(folder: string, name: string, value: string): void {
  writeFileSync(join(folder, name), value)
}

export function makeGroup(folder: string): void {
  mkdirSync(folder, { recursive: true })
}

export function groupsIn(folder: string): string[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true })
    return found.filter((each) => each.isDirectory()).map(({ name }) => join(folder, name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** False while something lives in it. */
export function removeGroup(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    if (codeOf(error) === 'EBUSY' || codeOf(error) === 'ENOTEMPTY') return false
    throw error
  }
}

/** Whether we can make groups here and put ourselves into them. Leaves nothing behind. */
export function isUsable(folder: string, back: string): boolean {
  const probe = join(folder, `probe-${process.pid}`)
  try {
    mkdirSync(probe, { recursive: true })
    writeGroupFile(probe, 'cgroup.procs', String(process.pid))
    writeGroupFile(back, 'cgroup.procs', String(process.pid))
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EBUSY', 'EOPNOTSUPP', 'ENOSPC', 'EINVAL'].includes(codeOf(error)))
      return false
    throw error
  } finally {
    removeQuietly(probe)
  }
}

function removeQuietly(folder: string): void {
  try {
    removeGroup(folder)
  } catch (error) {
    // It was never made, for the reason that the answer is no.
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(codeOf(error))) throw error
  }
}

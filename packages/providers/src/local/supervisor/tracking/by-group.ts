/**
 * By control groups. A process is in its group from the first instruction on, because we go there ourselves for the moment
 * in which it is started: children are born where their parent is.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sendSignal } from '../../../proc/processes.ts'
import type { Group } from '../process-state.ts'
import { identitiesIn, makeGroup, readGroupFile, removeGroup, writeGroupFile } from './group-files.ts'
import type { Tracking } from './tracking.ts'

export type GroupPlace = {
  readonly kind: 'cgroup2' | 'cgroup1'
  /** Below it each run gets a group. */
  readonly base: string
  /** Where we live ourselves. */
  readonly home: string
}

export function byGroup({ kind, base, home }: GroupPlace): Tracking {
  let moving: Promise<void> | undefined
  return {
    kind,
    open(name, marker) {
      const folder = join(base, name)
      makeGroup(folder)
      return { marker, kind, folder, limitFolders: [] }
    },
    // The first move after a while waits for all processors, some 10 ms, and those soon after it for nobody. A move to
    // where we are counts, and can be waited for while other things are done.
    prepare() {
      moving ??= writeFile(join(home, 'cgroup.procs'), String(process.pid))
        // Whoever enters is refused the same, and says so.
        .catch(() => undefined)
        .finally(() => {
          moving = undefined
        })
    },
    async settled() {
      while (moving) await moving
    },
    enter(group, start) {
      // It would take us home again before the process is born.
      if (moving) throw new TypeError('a group is entered only after what was prepared has settled')
      writeGroupFile(folderOf(group), 'cgroup.procs', String(process.pid))
      try {
        return start()
      } finally {
        writeGroupFile(home, 'cgroup.procs', String(process.pid))
      }
    },
    members: (group) => identitiesIn(folderOf(group)),
    kill: (group) => killGroup(folderOf(group)),
    close: (group) => [...group.limitFolders, folderOf(group)].every(removeGroup),
  }
}

function folderOf(group: Group): string {
  if (group.folder === undefined) throw new TypeError('a group by control group has a folder')
  return group.folder
}

/** The kernel does it in one step where it can; else they are frozen first, so that none is born meanwhile. */
function killGroup(folder: string): void {
  if (readGroupFile(folder, 'cgroup.events') !== undefined && hasKill(folder)) return
  const freezes = readGroupFile(folder, 'freezer.state') !== undefined
  if (freezes) writeGroupFile(folder, 'freezer.state', 'FROZEN')
  try {
    for (const each of identitiesIn(folder)) sendSignal(each, 'SIGKILL')
  } finally {
    if (freezes) writeGroupFile(folder, 'freezer.state', 'THAWED')
  }
}

function hasKill(folder: string): boolean {
  try {
    writeGroupFile(folder, 'cgroup.kill', '1')
    return true
  } catch (error) {
    // Linux before 5.14.
    if (['ENOENT', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

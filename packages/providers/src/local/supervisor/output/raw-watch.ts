/** Tells who is concerned when a raw file has grown: one watch on their folder, and a slow look for what it might miss. */
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@gantry/core/base'

const lookEveryMs = 1000

export type RawWatch = {
  onGrowth(file: string, task: () => void): () => void
  close(): void
}

export function watchRaw(folder: string, clock: Clock, log: (message: string) => void): RawWatch {
  const tasks = new Map<string, () => void>()
  const watcher = open()
  let cancel = clock.after(lookEveryMs, look)
  return {
    onGrowth(file, task) {
      tasks.set(file, task)
      return () => tasks.delete(file)
    },
    close() {
      cancel()
      watcher?.close()
    },
  }

  function look(): void {
    for (const task of tasks.values()) task()
    cancel = clock.after(lookEveryMs, look)
  }

  /** The number of watches of a machine is limited; without one, output is moved once a second. */
  function open(): FSWatcher | undefined {
    try {
      const opened = watch(folder, (_event, name) => tasks.get(join(folder, String(name)))?.())
      opened.on('error', (error) => log(`Raw output is not watched any more, only looked at: ${String(error)}`))
      return opened
    } catch (error) {
      log(`Raw output cannot be watched, only looked at: ${String(error)}`)
      return undefined
    }
  }
}

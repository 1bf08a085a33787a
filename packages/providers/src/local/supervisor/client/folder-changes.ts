/** Waiting for something to change in a folder: by a watch where there is one to be had, and by the clock at the latest. */
import { watch } from 'node:fs'
import { onAbort } from '@gantry/core/base'

const atTheLatestMs = 500

export type FolderChanges = {
  /** Resolves with the next change, or when it is time to look; rejects with the signal's reason. */
  readonly next: () => Promise<void>
  close(): void
}

export function folderChanges(folder: string, signal: AbortSignal): FolderChanges {
  let changed = false
  let wake: (() => void) | undefined
  const tell = (): void => {
    changed = true
    wake?.()
  }
  const watcher = openWatch(folder, tell)
  return {
    close: () => watcher?.close(),
    next: () =>
      new Promise((resolve, reject) => {
        const done = (settle: () => void): void => {
          clearTimeout(timer)
          leave()
          wake = undefined
          changed = false
          settle()
        }
        const timer = setTimeout(() => done(resolve), atTheLatestMs)
        let leave = (): void => undefined
        leave = onAbort(signal, () => done(() => reject(signal.reason)))
        wake = () => done(resolve)
        if (changed && !signal.aborted) wake()
      }),
  }
}

/** Watches are limited in number; without one the clock alone says when to look. */
function openWatch(folder: string, tell: () => void): ReturnType<typeof watch> | undefined {
  try {
    const watcher = watch(folder, tell)
    watcher.on('error', tell)
    return watcher
  } catch {
    return undefined
  }
}

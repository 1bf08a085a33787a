/**
 * Whether the folder that a supervisor looks after is still there. One whose folder was deleted can never be found again:
 * its socket and its lock are gone, and another one would be started beside it.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'

export type FolderWatch = {
  /** Deleted, for certain: a disk that cannot be read, or a folder that was moved, is not. */
  isGone(): boolean
  close(): void
}

/** Holds on to the folder itself, whatever its name leads to later. */
export function watchFolder(folder: string): FolderWatch {
  const held = openSync(folder, 'r')
  return {
    isGone: () => fstatSync(held).nlink === 0,
    close: () => closeSync(held),
  }
}

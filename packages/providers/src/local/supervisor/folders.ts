/** Where the supervisor keeps what, below the data folder. */
import { join } from 'node:path'

export type Folders = {
  readonly data: string
  readonly socket: string
  readonly lock: string
  readonly journal: string
  readonly log: string
  /** What processes have written, before it is moved. */
  readonly raw: string
  /** Pipes, only between making and opening them. */
  readonly pipes: string
  /** One folder of segments per process. */
  readonly output: string
}

export function foldersOf(dataDir: string): Folders {
  const own = join(dataDir, 'supervisor')
  return {
    data: dataDir,
    socket: join(dataDir, 'run', 'supervisor.sock'),
    lock: join(own, 'lock'),
    journal: join(own, 'journal.ndjson'),
    log: join(own, 'supervisor.log'),
    raw: join(own, 'raw'),
    pipes: join(own, 'pipes'),
    output: join(own, 'output'),
  }
}

export function outputFolder(folders: Folders, id: string): string {
  return join(folders.output, id)
}

/** `restore FILE`: a backup into an empty data folder, while no server runs on it. */
import { type Call, systemClock } from '@gantry/core'
import { restoreBackup } from '../backup/backup.ts'
import type { RestoreOptions } from './options.ts'
import { privateFolder } from './private-files.ts'

/** The master key is in no backup: it has to be put into the data folder before the server is started. */
export async function restore({ data, database, file }: RestoreOptions, call: Call): Promise<void> {
  await privateFolder(data)
  await restoreBackup({ file, database, clock: systemClock }, call)
}

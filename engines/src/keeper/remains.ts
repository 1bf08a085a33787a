/** What keepers that were killed have left behind: processes are ended by pid and start time, files removed. */
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Call, Clock } from '@gantry/core'
import { type EngineDefinition, instanceFolder } from '../engine.ts'
import { instanceFolders, socketOf } from '../folder.ts'
import { tryLock } from '../lock.ts'
import { endRecorded } from './children.ts'
import { keeperFiles } from './protocol.ts'

type Cleaning = Call & { readonly clock: Clock }

/** For who holds the lock of the folder: ends the processes and empties the folder but for what the keeper itself needs. */
export async function clearRemains(
  definition: EngineDefinition<unknown>,
  folder: string,
  call: Cleaning,
): Promise<number> {
  const ended = await endRecorded(join(folder, keeperFiles.processes), definition.endSignals, call)
  await definition.clear?.(join(folder, instanceFolder), call)
  await rm(socketOf(folder), { force: true })
  const kept: readonly string[] = [keeperFiles.lock, keeperFiles.log, keeperFiles.failure]
  for (const name of await readdir(folder)) {
    if (!kept.some((one) => name.startsWith(one))) await rm(join(folder, name), { recursive: true, force: true })
  }
  return ended
}

/** Clears every instance of the engine whose keeper is dead; a living one is let be. Answers how many processes were ended. */
export async function sweep(definition: EngineDefinition<unknown>, call: Cleaning): Promise<number> {
  let ended = 0
  for (const folder of instanceFolders(definition)) {
    const held = tryLock(join(folder, keeperFiles.lock))
    if (!held) continue
    try {
      ended += await clearRemains(definition, folder, call)
    } finally {
      held.release()
    }
    if (basename(folder).startsWith('private-')) await rm(folder, { recursive: true, force: true })
  }
  return ended
}

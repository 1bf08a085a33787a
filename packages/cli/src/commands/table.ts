/** Every command there is. What it does is loaded when it is run. */
import { type Entry, entry } from '../command/command.ts'
import { getCommand } from './get/command.ts'
import { versionCommand } from './version/command.ts'

export const commands: readonly Entry[] = [
  entry(getCommand, () => import('./get/run.ts')),
  entry(versionCommand, () => import('./version/run.ts')),
]

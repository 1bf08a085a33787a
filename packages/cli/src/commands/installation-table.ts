/** Commands that look inside, and those about the installation and this program. What each does is loaded when it is run. */
import { type Entry, entry } from '../command/command.ts'
import { versionCommand } from './version/command.ts'

export const installationCommands: readonly Entry[] = [entry(versionCommand, () => import('./version/run.ts'))]

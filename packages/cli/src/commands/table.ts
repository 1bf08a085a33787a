/** Every command there is, as three tables that people work on apart. */
import type { Entry } from '../command/command.ts'
import { installationCommands } from './installation-table.ts'
import { objectCommands } from './object-table.ts'
import { workloadCommands } from './workload-table.ts'

export const commands: readonly Entry[] = [...objectCommands, ...workloadCommands, ...installationCommands]

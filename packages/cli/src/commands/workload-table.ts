/** Commands that write and run workloads. What each does is loaded when it is run. */
import type { Entry } from '../command/command.ts'

export const workloadCommands: readonly Entry[] = []

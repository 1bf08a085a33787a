/** Commands about objects of any kind. What each does is loaded when it is run. */
import { type Entry, entry } from '../command/command.ts'
import { describeCommand } from './describe/command.ts'
import { explainCommand } from './explain/command.ts'
import { getCommand } from './get/command.ts'

export const objectCommands: readonly Entry[] = [
  entry(getCommand, () => import('./get/run.ts')),
  entry(describeCommand, () => import('./describe/run.ts')),
  entry(explainCommand, () => import('./explain/run.ts')),
]

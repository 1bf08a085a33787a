/** Commands about objects of any kind. What each does is loaded when it is run. */
import { type Entry, entry } from '../command/command.ts'
import { completeCommand } from './complete/command.ts'
import { completionCommand } from './completion/command.ts'
import { deleteCommand } from './delete/command.ts'
import { describeCommand } from './describe/command.ts'
import { editCommand } from './edit/command.ts'
import { eventsCommand } from './events/command.ts'
import { explainCommand } from './explain/command.ts'
import { getCommand } from './get/command.ts'
import { patchCommand } from './patch/command.ts'
import { waitCommand } from './wait/command.ts'

export const objectCommands: readonly Entry[] = [
  entry(getCommand, () => import('./get/run.ts')),
  entry(describeCommand, () => import('./describe/run.ts')),
  entry(explainCommand, () => import('./explain/run.ts')),
  entry(editCommand, () => import('./edit/run.ts')),
  entry(patchCommand, () => import('./patch/run.ts')),
  entry(deleteCommand, () => import('./delete/run.ts')),
  entry(waitCommand, () => import('./wait/run.ts')),
  entry(eventsCommand, () => import('./events/run.ts')),
  entry(completionCommand, () => import('./completion/run.ts')),
  entry(completeCommand, () => import('./complete/run.ts')),
]

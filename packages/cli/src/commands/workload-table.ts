/** Commands that write and run workloads. What each does is loaded when it is run. */
import { type Entry, entry } from '../command/command.ts'
import { applyCommand } from './apply/command.ts'
import { deployCommand } from './deploy/command.ts'
import { diffCommand } from './diff/command.ts'
import { downCommand } from './down/command.ts'
import { planCommand } from './plan/command.ts'
import { psCommand } from './ps/command.ts'
import { restartCommand } from './restart/command.ts'
import { rollbackCommand } from './rollback/command.ts'
import { rolloutAbortCommand } from './rollout/abort/command.ts'
import { rolloutHistoryCommand } from './rollout/history/command.ts'
import { rolloutPauseCommand } from './rollout/pause/command.ts'
import { rolloutPromoteCommand } from './rollout/promote/command.ts'
import { rolloutResumeCommand } from './rollout/resume/command.ts'
import { rolloutStatusCommand } from './rollout/status/command.ts'
import { scaleCommand } from './scale/command.ts'
import { startCommand } from './start/command.ts'
import { statusCommand } from './status/command.ts'
import { stopCommand } from './stop/command.ts'
import { upCommand } from './up/command.ts'

export const workloadCommands: readonly Entry[] = [
  entry(upCommand, () => import('./up/run.ts')),
  entry(downCommand, () => import('./down/run.ts')),
  entry(applyCommand, () => import('./apply/run.ts')),
  entry(planCommand, () => import('./plan/run.ts')),
  entry(diffCommand, () => import('./diff/run.ts')),
  entry(deployCommand, () => import('./deploy/run.ts')),
  entry(rollbackCommand, () => import('./rollback/run.ts')),
  entry(rolloutStatusCommand, () => import('./rollout/status/run.ts')),
  entry(rolloutHistoryCommand, () => import('./rollout/history/run.ts')),
  entry(rolloutPauseCommand, () => import('./rollout/pause/run.ts')),
  entry(rolloutResumeCommand, () => import('./rollout/resume/run.ts')),
  entry(rolloutPromoteCommand, () => import('./rollout/promote/run.ts')),
  entry(rolloutAbortCommand, () => import('./rollout/abort/run.ts')),
  entry(scaleCommand, () => import('./scale/run.ts')),
  entry(startCommand, () => import('./start/run.ts')),
  entry(stopCommand, () => import('./stop/run.ts')),
  entry(restartCommand, () => import('./restart/run.ts')),
  entry(statusCommand, () => import('./status/run.ts')),
  entry(psCommand, () => import('./ps/run.ts')),
]

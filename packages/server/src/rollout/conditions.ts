/** Pure: what a user reads in the conditions of a rollout. */
import type { RolloutSpec, RolloutStatus } from '@gantry/core'
import type { Said, Verdict } from '../controllers/conditions.ts'

export function rolloutVerdict({ release }: RolloutSpec, status: RolloutStatus): Verdict {
  const { phase = 'pending', failure, waitingOn, waitingFor, returnsTo } = status
  const wait = waitingFor === undefined ? 'going on' : `waiting for ${waitingFor}`
  const degraded: Said = failure ? ['True', failure.reason, failure.message] : ['False', phase, '']
  if (waitingOn === 'engine') {
    const unknown: Said = ['Unknown', 'engine_unreachable', wait]
    return { Ready: unknown, Progressing: unknown, Degraded: failure ? degraded : unknown }
  }
  switch (phase) {
    case 'succeeded':
      return {
        Ready: ['True', phase, `v${release} runs`],
        Progressing: ['False', phase, 'Nothing left to do'],
        // What failed on the way and became well is told by `failure`, and no longer wrong.
        Degraded: ['False', phase, ''],
      }
    case 'rolled_back':
    case 'aborted': {
      const now = returnsTo === undefined ? 'nothing to go back to' : `back at v${returnsTo}`
      return { Ready: ['False', phase, now], Progressing: ['False', phase, now], Degraded: degraded }
    }
    case 'superseded': {
      const said: Said = ['False', phase, 'A newer rollout has taken over']
      return { Ready: said, Progressing: said, Degraded: degraded }
    }
    case 'paused':
    case 'failed':
      return { Ready: ['False', phase, wait], Progressing: ['False', phase, wait], Degraded: degraded }
    case 'pending':
    case 'progressing':
    case 'promoting':
    case 'rolling_back':
      return { Ready: ['False', phase, wait], Progressing: ['True', phase, wait], Degraded: degraded }
    default:
      return phase satisfies never
  }
}

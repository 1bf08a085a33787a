import { describe, expect, it } from 'vitest'
import { at, specOf } from '../testing/rollout/scenes.ts'
import { rolloutVerdict } from './conditions.ts'

const failure = { reason: 'process_exited', message: 'web of replica 0 ended with exit code 1', at: at(0) }
const waitingFor = 'v2 to be ready'

describe('what is read of a rollout', () => {
  it.each([
    [{}, 'False pending', 'True pending', 'False pending'],
    [
      { phase: 'progressing', waitingFor, waitingOn: 'replicas' },
      'False progressing',
      'True progressing',
      'False progressing',
    ],
    [
      { phase: 'progressing', waitingFor: 'slot a to be gone', waitingOn: 'removal' },
      'False progressing',
      'True progressing',
      'False progressing',
    ],
    [
      { phase: 'progressing', waitingFor, waitingOn: 'engine' },
      'Unknown engine_unreachable',
      'Unknown engine_unreachable',
      'Unknown engine_unreachable',
    ],
    [{ phase: 'rolling_back', waitingFor, failure }, 'False rolling_back', 'True rolling_back', 'True process_exited'],
    [{ phase: 'rolled_back', failure }, 'False rolled_back', 'False rolled_back', 'True process_exited'],
    [{ phase: 'paused', waitingFor }, 'False paused', 'False paused', 'False paused'],
    [{ phase: 'failed', waitingFor, failure }, 'False failed', 'False failed', 'True process_exited'],
    [{ phase: 'aborted' }, 'False aborted', 'False aborted', 'False aborted'],
    [{ phase: 'superseded' }, 'False superseded', 'False superseded', 'False superseded'],
    [{ phase: 'succeeded', failure }, 'True succeeded', 'False succeeded', 'False succeeded'],
  ] as const)('of %j: ready %s, progressing %s, degraded %s', (status, ready, progressing, degraded) => {
    const { Ready, Progressing, Degraded } = rolloutVerdict(specOf(), status)
    const words = [Ready, Progressing, Degraded].map(([value, reason]) => `${value} ${reason}`)
    expect(words).toEqual([ready, progressing, degraded])
    expect(Ready[2]).not.toBe('')
  })
})

import { endedPhases } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { Picture } from './picture.ts'
import { at, goal, picture, rollout, workload } from './testing/samples.ts'
import { type Goal, overPhases, verdictOn } from './verdict.ts'

const failure = { reason: 'rollout_stalled', message: 'web ended with exit code 3', at: at(0) }
const rolling = { Progressing: ['True', 'rolling_out', 'Rolling out v2'] } as const
const failed = { Degraded: ['True', 'rollout_stalled', 'v2 failed (web ended), running v1'] } as const

const rows: readonly [string, Picture, Partial<Goal>, object][] = [
  ['is done when all is as asked for', picture({ workload: workload(), rollout: rollout() }), {}, { state: 'done' }],
  [
    'waits until the server has looked at what was asked for',
    picture({ workload: workload({ status: { observedGeneration: 1 } }), rollout: rollout() }),
    {},
    { state: 'waiting' },
  ],
  [
    'waits for a newer wish of somebody else, too',
    picture({ workload: workload({ metadata: { generation: 3 } }), rollout: rollout() }),
    {},
    { state: 'waiting' },
  ],
  ['waits for a rollout that it has not seen yet', picture({ workload: workload() }), {}, { state: 'waiting' }],
  [
    'waits while it rolls out',
    picture({ workload: workload({ said: rolling }), rollout: rollout({ phase: 'progressing' }) }),
    {},
    { state: 'waiting' },
  ],
  [
    'waits for a person where a person is waited for',
    picture({
      workload: workload({ said: { Progressing: ['False', 'paused', 'paused'] } }),
      rollout: rollout({ phase: 'paused' }),
    }),
    {},
    { state: 'waiting' },
  ],
  [
    'waits while nobody can look',
    picture({
      workload: workload({
        said: { Ready: ['Unknown', 'engine_unreachable', ''], Progressing: ['Unknown', 'engine_unreachable', ''] },
      }),
      rollout: rollout(),
    }),
    {},
    { state: 'waiting' },
  ],
  [
    'has failed when the release was taken back',
    picture({ workload: workload({ said: failed }), rollout: rollout({ phase: 'rolled_back', failure }) }),
    {},
    { state: 'failed', why: 'v2 failed (web ended), running v1' },
  ],
  [
    'has failed when there was nothing to go back to',
    picture({ workload: workload({ said: failed }), rollout: rollout({ phase: 'failed', failure }) }),
    {},
    { state: 'failed' },
  ],
  [
    'has failed when somebody gave it up',
    picture({ workload: workload(), rollout: rollout({ phase: 'aborted' }) }),
    {},
    { state: 'failed' },
  ],
  [
    'says who gave it up, also before the workload does',
    picture({
      workload: workload(),
      rollout: rollout({ phase: 'aborted' }, { abort: { by: 'eve', why: 'not this one' } }),
    }),
    {},
    { state: 'failed', why: 'v2 was aborted by eve (not this one)' },
  ],
  [
    'is done when it was given up and that was what was asked for',
    picture({ workload: workload({ said: failed }), rollout: rollout({ phase: 'aborted' }) }),
    { want: 'back' },
    { state: 'done' },
  ],
  [
    'waits until what was given up has come to its end',
    picture({
      workload: workload({ said: { Progressing: ['False', 'paused', 'paused'] } }),
      rollout: rollout({ phase: 'paused' }, {}, 90),
    }),
    { want: 'back' },
    { state: 'waiting' },
  ],
  [
    'is not failed by what failed before it was asked for',
    picture({ workload: workload({ said: failed }), rollout: rollout({ phase: 'rolled_back', failure }, {}, 90) }),
    {},
    { state: 'done' },
  ],
  [
    'is failed by it where nothing new was asked for',
    picture({ workload: workload({ said: failed }), rollout: rollout({ phase: 'rolled_back', failure }, {}, 90) }),
    { since: 0 },
    { state: 'failed' },
  ],
  [
    'has failed when it cannot be made as it is',
    picture({
      workload: workload({
        status: { rollout: undefined },
        said: {
          Ready: ['False', 'secret_not_found', 'The secret "x" does not exist'],
          Degraded: ['True', 'secret_not_found', 'The secret "x" does not exist'],
        },
      }),
    }),
    {},
    { state: 'failed', why: 'The secret "x" does not exist' },
  ],
  [
    'is done although something else is odd about it',
    picture({
      workload: workload({ said: { Degraded: ['True', 'drift', 'Somebody changed x'] } }),
      rollout: rollout(),
    }),
    {},
    { state: 'done' },
  ],
  [
    'waits until stopped processes are gone',
    picture({ workload: workload({ spec: { run: 'stopped' }, status: { replicas: 1 } }), rollout: rollout() }),
    {},
    { state: 'waiting' },
  ],
  [
    'is done when it is stopped as asked for',
    picture({
      workload: workload({
        spec: { run: 'stopped' },
        status: { replicas: 0 },
        said: { Ready: ['False', 'stopped', 'Stopped'] },
      }),
      rollout: rollout(),
    }),
    {},
    { state: 'done' },
  ],
  ['has failed when it was deleted', picture({}), {}, { state: 'failed', why: 'it was deleted meanwhile' }],
  [
    'has failed when it is being deleted',
    picture({ workload: workload({ metadata: { deletionRequestedAt: at(0) } }), rollout: rollout() }),
    {},
    { state: 'failed', why: 'it is being deleted' },
  ],
  ['waits for what is to go', picture({ workload: workload() }), { want: 'gone' }, { state: 'waiting' }],
  ['is done when it is gone', picture({}), { want: 'gone' }, { state: 'done' }],
  [
    'is done when another of the same name is there',
    picture({ workload: workload({ metadata: { uid: 'u2' } }) }),
    { want: 'gone' },
    { state: 'done' },
  ],
]

describe('whether a workload has become what was asked for', () => {
  it.each(rows)('%s', (_, seen, more, verdict) => {
    expect(verdictOn({ ...goal, ...more }, seen)).toMatchObject(verdict)
  })

  it('knows the phases of which nothing more comes, as the schemas do', () => {
    expect(overPhases.toSorted()).toEqual(endedPhases.toSorted())
  })
})

import { exit, rows } from '../testing/rollout/rows.ts'
import { at, coming, factsOf, slotOf, start, strategies, updating } from '../testing/rollout/scenes.ts'

rows('what fails it', [
  [
    'a process that ended goes back at once',
    { status: updating() },
    factsOf([slotOf('a', 2, { ...coming, exits: [exit] })]),
    {
      status: {
        phase: 'rolling_back',
        step: 'back',
        failure: { reason: 'process_exited', exitCode: 1, service: 'web' } as never,
      },
    },
  ],
  [
    'a process that ended before it began says nothing',
    { status: updating() },
    factsOf([slotOf('a', 2, { ...coming, exits: [{ ...exit, startedAt: start - 1 }] })]),
    { status: { phase: 'progressing' } },
  ],
  [
    'an engine that says that it gets no further',
    { status: updating() },
    factsOf([slotOf('a', 2, { ...coming, stalled: { reason: 'image_pull_failed', message: 'There is no app:2' } })]),
    {
      status: {
        phase: 'rolling_back',
        failure: { reason: 'image_pull_failed', message: 'There is no app:2', at: at(10) },
      },
    },
  ],
  [
    'no progress within the deadline, and what replicas may take besides',
    { status: updating({ waitingOn: 'replicas', progressAt: at(-122), progress: { generation: 1, best: 1 } }) },
    factsOf([slotOf('a', 2, coming)]),
    { status: { phase: 'rolling_back', failure: { reason: 'progress_deadline' } as never } },
  ],
  [
    'up and down is no progress',
    { status: updating({ waitingOn: 'replicas', progressAt: at(0), progress: { generation: 1, best: 4 } }) },
    factsOf([slotOf('a', 2, { ...coming, updated: 2 })]),
    { status: { progressAt: at(0), progress: { generation: 1, best: 4 } }, afterMs: 122_000 },
  ],
  [
    'better than ever is',
    { status: updating({ waitingOn: 'replicas', progressAt: at(0), progress: { generation: 1, best: 1 } }) },
    factsOf([slotOf('a', 2, { ...coming, updated: 2 })]),
    { status: { progressAt: at(10), progress: { generation: 1, best: 2 } }, afterMs: 132_000 },
  ],
  [
    'with nothing to go back to it stays, and is tried on',
    { spec: { from: undefined }, status: updating({ returnable: false }) },
    factsOf([slotOf('a', 2, { ...coming, exits: [exit] })]),
    { status: { phase: 'failed', failure: { reason: 'process_exited' } as never, waitingOn: 'replicas' }, deeds: [] },
  ],
  [
    '… and may still become well',
    { spec: { from: undefined }, status: updating({ phase: 'failed', returnable: false }) },
    factsOf([slotOf('a', 2)]),
    { status: { phase: 'succeeded' } },
  ],
  [
    '… but has failed for as long as the edge is waited for, or it would be held up for the failure that is over',
    {
      spec: { from: undefined },
      status: updating({ phase: 'failed', returnable: false, failure: { reason: 'process_exited' } as never }),
    },
    { ...factsOf([slotOf('a', 2)]), traffic: { acknowledged: false } },
    { status: { phase: 'failed', waitingOn: 'edge' }, deeds: [] },
  ],
  [
    'told to pause, it waits for a person',
    { spec: { strategy: { ...strategies.rolling, onFailure: 'pause' } }, status: updating() },
    factsOf([slotOf('a', 2, { ...coming, exits: [exit] })]),
    { status: { phase: 'paused', waitingOn: 'person', resumed: 0 }, deeds: [] },
  ],
  [
    '… who says to try on: from then on only time tells',
    {
      spec: { strategy: { ...strategies.rolling, onFailure: 'pause' }, resume: 1 },
      status: updating({
        phase: 'paused',
        waitingOn: 'person',
        resumed: 0,
        failure: { reason: 'x', message: 'y', at: at(1) },
      }),
    },
    factsOf([slotOf('a', 2, { ...coming, exits: [exit] })]),
    { status: { phase: 'progressing', waitingOn: 'replicas', retriedAt: at(10) } },
  ],
])

import { blueGreen, noAck, put, remove, rows } from '../testing/rollout/rows.ts'
import { at, besides, coming, factsOf, slotOf, updating } from '../testing/rollout/scenes.ts'

rows('going back', [
  [
    'in its slot, what was there is told to come back',
    { status: updating({ step: 'back', phase: 'rolling_back', previousStamp: 's0' }) },
    factsOf([slotOf('a', 2, coming)]),
    { status: { phase: 'rolling_back', waitingOn: 'replicas' }, deeds: [{ ...put('a', 1), restartStamp: 's0' }] },
  ],
  [
    '… and when it has, that is the end',
    { status: updating({ step: 'back', failure: { reason: 'x', message: 'y', at: at(1) } }) },
    factsOf([slotOf('a', 1)]),
    { status: { phase: 'rolled_back', stable: 'a' }, deeds: [] },
  ],
  [
    'because somebody said so, it was aborted',
    { spec: { abort: { by: 'eva', why: '' } }, status: updating({ step: 'back' }) },
    factsOf([slotOf('a', 1)]),
    { status: { phase: 'aborted' } },
  ],
  [
    'beside another, requests go back first',
    { spec: { ...blueGreen, abort: { by: 'eva', why: '' } }, status: besides('switch', { weights: { a: 0, b: 100 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { step: 'back', weights: { a: 100, b: 0 } }, deeds: [], afterMs: 0 },
  ],
  [
    '… then the edge is waited for',
    { spec: blueGreen, status: besides('back') },
    factsOf([slotOf('a', 1), slotOf('b', 2)], noAck),
    { status: { waitingOn: 'edge', phase: 'rolling_back' }, deeds: [] },
  ],
  [
    '… and only then the new one goes',
    { spec: blueGreen, status: besides('back', { failure: { reason: 'x', message: 'y', at: at(1) } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { phase: 'rolled_back', stable: 'a' }, deeds: [remove('b')] },
  ],
  [
    'a new one that alone answers stays until the old one does',
    { spec: blueGreen, status: besides('back', { weights: { a: 0, b: 100 } }) },
    factsOf([slotOf('a', 1, { ready: 0, settled: false }), slotOf('b', 2)]),
    { status: { waitingOn: 'replicas', weights: { a: 0, b: 100 } }, deeds: [] },
  ],
])

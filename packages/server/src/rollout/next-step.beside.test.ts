import { blueGreen, canary, exit, put, remove, rows } from '../testing/rollout/rows.ts'
import { at, besides, coming, factsOf, slotOf, strategies } from '../testing/rollout/scenes.ts'

rows('beside another', [
  [
    'what an earlier one left is changed only when nobody is sent there',
    { spec: blueGreen, status: besides('fill', { weights: { a: 90, b: 10 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 3)]),
    { status: { waitingOn: 'edge', weights: { a: 100, b: 0 } }, deeds: [] },
  ],
  [
    '… and then is',
    { spec: blueGreen, status: besides('fill') },
    factsOf([slotOf('a', 1), slotOf('b', 3)]),
    { deeds: [put('b', 2)] },
  ],
  [
    'once it is ready, blue-green switches by itself',
    { spec: blueGreen, status: besides('fill') },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { step: 'switch', phase: 'promoting', weights: { a: 0, b: 100 } }, deeds: [], afterMs: 0 },
  ],
  [
    '… unless a person is to promote it',
    { spec: { strategy: { ...strategies.blue_green, autoPromote: false } }, status: besides('fill') },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { step: 'gate', weights: { a: 100, b: 0 } } },
  ],
  [
    '… which nobody has to for a rollback',
    {
      spec: { strategy: { ...strategies.blue_green, autoPromote: false }, trigger: 'rollback' },
      status: besides('fill'),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { step: 'switch' } },
  ],
  [
    'a gate is opened by one word',
    { spec: { strategy: { ...strategies.blue_green, autoPromote: false }, promote: 1 }, status: besides('gate') },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { step: 'switch', gates: 1 } },
  ],
  [
    '… and not by one that opened another',
    {
      spec: { ...canary, promote: 1 },
      status: besides('shift', { stepIndex: 1, gates: 1, weights: { a: 50, b: 50 } }),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { phase: 'paused', waitingOn: 'person', stepIndex: 1 } },
  ],
  [
    'the old one goes when the edge has switched',
    { spec: blueGreen, status: besides('switch', { weights: { a: 0, b: 100 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { phase: 'succeeded', stable: 'b', weights: { a: 0, b: 100 } }, deeds: [remove('a')] },
  ],
  [
    '… and is kept warm, if told so',
    {
      spec: { strategy: { ...strategies.blue_green, warmSeconds: 60 } },
      status: besides('warm', { weights: { a: 0, b: 100 } }),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { waitingOn: 'time', phase: 'promoting' }, deeds: [], afterMs: 50_000 },
  ],
  [
    '… so that requests are back there as soon as the new one fails',
    {
      spec: { strategy: { ...strategies.blue_green, warmSeconds: 60 } },
      status: besides('warm', { weights: { a: 0, b: 100 } }),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2, { ...coming, exits: [exit] })]),
    { status: { phase: 'rolling_back', weights: { a: 100, b: 0 } } },
  ],
  [
    'a step of a canary begins when the edge does as it says',
    { spec: canary, status: besides('shift', { stepIndex: 0, waitingOn: 'edge', weights: { a: 90, b: 10 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { waitingOn: 'time', since: at(10), weights: { a: 90, b: 10 } }, afterMs: 60_000 },
  ],
  [
    '… and ends when its time is over',
    {
      spec: canary,
      status: besides('shift', { stepIndex: 0, waitingOn: 'time', since: at(-50), weights: { a: 90, b: 10 } }),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2)]),
    { status: { step: 'shift', stepIndex: 1 }, afterMs: 0 },
  ],
  [
    'a canary that nobody answers for gives its requests back, and is waited for',
    { spec: canary, status: besides('shift', { stepIndex: 0, waitingOn: 'time', weights: { a: 90, b: 10 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2, coming)]),
    { status: { waitingOn: 'replicas', weights: { a: 100, b: 0 }, progressAt: at(10) } },
  ],
  [
    'a canary whose old release no longer answers has nothing to be compared with',
    { spec: canary, status: besides('shift', { stepIndex: 0, weights: { a: 90, b: 10 } }) },
    factsOf([slotOf('a', 1, { ready: 0, settled: false }), slotOf('b', 2)]),
    { status: { step: 'switch', weights: { a: 0, b: 100 } } },
  ],
  [
    'too few requests are no verdict',
    {
      spec: { strategy: { ...strategies.canary, analysis: { maxErrorRate: 0.05, minRequests: 20 } } },
      status: besides('shift', { stepIndex: 0, waitingOn: 'time', weights: { a: 90, b: 10 } }),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2)], {
      traffic: { acknowledged: true, figures: { a: { requests: 99, errors: 0 }, b: { requests: 19, errors: 19 } } },
    }),
    { status: { waitingOn: 'time' }, afterMs: 5000 },
  ],
  [
    'enough of them are',
    {
      spec: { strategy: { ...strategies.canary, analysis: { maxErrorRate: 0.05, minRequests: 20 } } },
      status: besides('shift', { stepIndex: 0, waitingOn: 'time', weights: { a: 90, b: 10 } }),
    },
    factsOf([slotOf('a', 1), slotOf('b', 2)], {
      traffic: { acknowledged: true, figures: { a: { requests: 99, errors: 0 }, b: { requests: 20, errors: 2 } } },
    }),
    {
      status: {
        phase: 'rolling_back',
        failure: { reason: 'error_rate', message: '2 of 20 requests failed (10 %); 5 % are allowed', at: at(10) },
      },
    },
  ],
  [
    'a slot that somebody took away is filled again',
    { spec: blueGreen, status: besides('switch') },
    factsOf([slotOf('a', 1)]),
    { status: { step: 'fill', weights: { a: 100, b: 0 } }, afterMs: 0 },
  ],
  [
    'with the old one gone, the new one is all there is',
    { spec: blueGreen, status: besides('fill') },
    factsOf([slotOf('b', 2, coming)]),
    { status: { step: 'update', stable: 'b', candidate: undefined, returnable: false } },
  ],
  [
    'stopped in the middle, it waits to run again',
    { spec: blueGreen, status: besides('gate') },
    factsOf([slotOf('a', 1, { wanted: 0, ready: 0 }), slotOf('b', 2, { wanted: 0, ready: 0 })], { wanted: 0 }),
    { status: { waitingOn: 'workload' }, deeds: [] },
  ],
])

import { blueGreen, canary, put, remove, rows } from '../testing/rollout/rows.ts'
import { at, besides, factsOf, slotOf, strategies } from '../testing/rollout/scenes.ts'

rows('how a rollout begins', [
  [
    'a first one makes slot a, and nothing is there to go back to',
    { spec: { trigger: 'create', release: 1, from: undefined } },
    factsOf([]),
    { status: { step: 'update', stable: 'a', returnable: false, weights: { a: 100, b: 0 } }, deeds: [put('a', 1)] },
  ],
  [
    'rolling changes the slot that is there, whichever that is',
    {},
    factsOf([slotOf('b', 1)]),
    { status: { step: 'update', stable: 'b', weights: { a: 0, b: 100 } }, deeds: [put('b', 2)] },
  ],
  [
    'blue-green fills the other slot',
    { spec: blueGreen },
    factsOf([slotOf('a', 1)]),
    { status: { step: 'fill', stable: 'a', candidate: 'b', weights: { a: 100, b: 0 } }, deeds: [put('b', 2)] },
  ],
  [
    'where nothing runs, there is nothing to come up beside',
    { spec: blueGreen },
    factsOf([slotOf('a', 1, { wanted: 0, ready: 0, updated: 0, updatedReady: 0 })], { wanted: 0 }),
    { status: { step: 'update', stable: 'a' }, deeds: [put('a', 2)] },
  ],
  [
    'a restart replaces replicas in their slot, under any strategy',
    { spec: { ...canary, trigger: 'restart', release: 1, restartStamp: 's1' } },
    factsOf([slotOf('a', 1)]),
    { status: { step: 'update', returnable: true }, deeds: [{ ...put('a', 1), restartStamp: 's1' }] },
  ],
  [
    'a stateful_set stays in its slot, under any strategy',
    { spec: { ...blueGreen, type: 'stateful_set' } },
    factsOf([slotOf('a', 1, { type: 'stateful_set' })]),
    { status: { step: 'update', stable: 'a' }, deeds: [put('a', 2)] },
  ],
  [
    'a move fills the other slot, since an instance never changes its place',
    { spec: { provider: 'there', trigger: 'move' } },
    factsOf([slotOf('a', 2)]),
    { status: { step: 'fill', stable: 'a', candidate: 'b' }, deeds: [put('b', 2)] },
  ],
  [
    'a move of what must never run twice leaves the old place first',
    { spec: { provider: 'there', strategy: strategies.recreate } },
    factsOf([slotOf('a', 1)]),
    { status: { step: 'clear', stable: 'b', returnable: false, waitingOn: 'removal' }, deeds: [remove('a')] },
  ],
  [
    'of two slots the one that answers is trusted',
    { spec: blueGreen },
    factsOf([slotOf('a', 1, { ready: 0, settled: false }), slotOf('b', 3)], {
      older: { name: 'web-r1', ended: true, weights: { a: 100, b: 0 }, stable: 'a' },
    }),
    { status: { stable: 'b', candidate: 'a', weights: { a: 0, b: 100 } } },
  ],
  [
    'of two that answer the one with more of the requests is trusted',
    {},
    factsOf([slotOf('a', 1), slotOf('b', 3)], {
      older: { name: 'web-r1', ended: true, weights: { a: 10, b: 90 }, stable: 'a' },
    }),
    { status: { stable: 'b', weights: { a: 0, b: 100 } }, deeds: [put('b', 2)] },
  ],
  [
    'what an earlier one had switched to is what a failure goes back to',
    { spec: { ...blueGreen, number: 3, release: 3, from: 1 } },
    factsOf([slotOf('a', 1), slotOf('b', 2)], {
      older: { name: 'web-r2', ended: true, weights: { a: 0, b: 100 }, stable: 'a' },
    }),
    { status: { stable: 'b', candidate: 'a', returnable: true, returnsTo: 2 } },
  ],
  [
    'an older one that has not ended is waited for',
    {},
    factsOf([slotOf('a', 1)], { older: { name: 'web-r1', ended: false } }),
    { status: { phase: 'pending', waitingOn: 'rollout', waitingFor: 'rollout web-r1 to step aside' }, deeds: [] },
  ],
  [
    'a newer one ends it, and inherits where requests go',
    { status: besides('shift', { weights: { a: 90, b: 10 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2)], { superseded: true }),
    { status: { phase: 'superseded', weights: { a: 90, b: 10 }, endedAt: at(10) }, deeds: [] },
  ],
])

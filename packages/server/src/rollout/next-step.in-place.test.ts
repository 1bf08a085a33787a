import { noAck, remove, rows } from '../testing/rollout/rows.ts'
import { at, blind, coming, factsOf, slotOf, updating } from '../testing/rollout/scenes.ts'

rows('in its slot', [
  [
    'replicas are waited for, and named',
    { status: updating() },
    factsOf([slotOf('a', 2, coming)]),
    { status: { waitingOn: 'replicas', waitingFor: 'v2 to be ready (0 of 2 replicas are)' }, deeds: [] },
  ],
  [
    'settled is done once the edge sends requests there, also where there is one slot only',
    { status: updating() },
    factsOf([slotOf('a', 2)]),
    { status: { phase: 'succeeded', stable: 'a', weights: { a: 100, b: 0 } }, deeds: [] },
  ],
  [
    '… and waits for the edge until then, because nobody can reach it',
    { status: updating() },
    factsOf([slotOf('a', 2)], noAck),
    { status: { phase: 'progressing', waitingOn: 'edge' }, deeds: [] },
  ],
  [
    '… and for the engine, where it has an address that no edge stands before',
    { status: updating() },
    factsOf([slotOf('a', 2), slotOf('b', 3)], { traffic: { acknowledged: true, engine: { acknowledged: false } } }),
    { status: { phase: 'progressing', waitingOn: 'edge' }, deeds: [] },
  ],
  [
    'settled is not believed of another generation',
    { status: updating() },
    factsOf([slotOf('a', 2, { current: false, settled: false })]),
    { status: { phase: 'progressing', waitingOn: 'replicas' } },
  ],
  [
    'what an earlier one left in the other slot goes at the end, once nobody is sent there',
    { status: updating() },
    factsOf([slotOf('a', 2), slotOf('b', 3)]),
    { status: { phase: 'succeeded' }, deeds: [remove('b')] },
  ],
  [
    '… and not before the edge has said so',
    { status: updating() },
    factsOf([slotOf('a', 2), slotOf('b', 3)], noAck),
    { status: { phase: 'progressing', waitingOn: 'edge' }, deeds: [] },
  ],
  [
    'a slot that is going is waited for',
    { status: updating() },
    factsOf([slotOf('a', 1, { deleting: true })]),
    { status: { waitingOn: 'removal', waitingFor: 'slot a to be gone' }, deeds: [] },
  ],
  [
    'an engine that cannot be looked at is waited for, and nothing counts against the release',
    { status: updating({ progressAt: at(-1000) }) },
    factsOf([slotOf('a', 2, blind)]),
    { status: { waitingOn: 'engine', phase: 'progressing', weights: { a: 100, b: 0 } }, deeds: [] },
  ],
  [
    '… and the deadline begins anew when it can be looked at again',
    { status: updating({ waitingOn: 'engine', progressAt: at(-1000) }) },
    factsOf([slotOf('a', 2, coming)]),
    { status: { waitingOn: 'replicas', progressAt: at(10) }, afterMs: 132_000 },
  ],
])

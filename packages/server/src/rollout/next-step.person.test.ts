import { canary, put, rows } from '../testing/rollout/rows.ts'
import { besides, coming, factsOf, slotOf, updating } from '../testing/rollout/scenes.ts'

rows('a person', [
  [
    'who pauses holds the engine still too, in its slot',
    { spec: { paused: true }, status: updating() },
    factsOf([slotOf('a', 2, coming)]),
    { status: { phase: 'paused', waitingOn: 'person' }, deeds: [{ ...put('a', 2), paused: true }] },
  ],
  [
    'who resumes lets it go on',
    { status: updating({ phase: 'paused', waitingOn: 'person' }) },
    factsOf([slotOf('a', 2, { ...coming, paused: true })]),
    { status: { phase: 'progressing' }, deeds: [put('a', 2)] },
  ],
  [
    'who pauses does not keep requests where nobody answers',
    { spec: { ...canary, paused: true }, status: besides('shift', { weights: { a: 90, b: 10 } }) },
    factsOf([slotOf('a', 1), slotOf('b', 2, coming)]),
    { status: { phase: 'paused', weights: { a: 100, b: 0 } }, deeds: [] },
  ],
  [
    'who aborts what has nothing to go back to leaves it as it is',
    { spec: { abort: { by: 'eva', why: '' }, from: undefined }, status: updating({ returnable: false }) },
    factsOf([slotOf('a', 2, coming)]),
    { status: { phase: 'aborted' }, deeds: [] },
  ],
  [
    'who deletes the workload leaves nothing for it to do',
    { status: updating() },
    factsOf([slotOf('a', 2, coming)], { leaving: true }),
    { status: { waitingOn: 'workload' }, deeds: [] },
  ],
])

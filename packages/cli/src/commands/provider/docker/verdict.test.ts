import { type Condition, kinds, type ObjectOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { judge } from '../verdict.ts'
import { addedText } from './added-text.ts'

function provider(status: ObjectOf<'Provider'>['status'], generation = 1): ObjectOf<'Provider'> {
  const manifest = { apiVersion: 'gantry/v1', kind: 'Provider', metadata: { name: 'docker' }, spec: { type: 'docker' } }
  const { spec } = kinds.Provider.parse(manifest)
  return { apiVersion: 'gantry/v1', kind: 'Provider', metadata: { ...stored, generation }, spec, status }
}

const stored = {
  name: 'docker',
  uid: 'u',
  createdAt: '2026-01-01T00:00:00Z',
  resourceVersion: 1,
  ownerRefs: [],
  finalizers: [],
  labels: {},
  annotations: {},
}
const ready = (status: Condition['status'], reason: string): Condition[] => [
  { type: 'Ready', status, reason, message: 'why', since: '2026-01-01T00:00:00Z' },
]

describe('what the server says of an engine', () => {
  it.each<[string, ObjectOf<'Provider'>, object]>([
    ['nothing yet', provider({}), { state: 'open' }],
    [
      'something about what was asked for before',
      provider({ observedGeneration: 1, conditions: ready('True', 'answers') }, 2),
      { state: 'open' },
    ],
    ['that it answers', provider({ observedGeneration: 1, conditions: ready('True', 'answers') }), { state: 'ready' }],
    [
      'that it does not answer now',
      provider({ observedGeneration: 1, conditions: ready('False', 'engine_unreachable') }),
      { state: 'refused', reason: 'engine_unreachable', message: 'why', isFinal: false },
    ],
    [
      'that it never will',
      provider({ observedGeneration: 1, conditions: ready('False', 'capability_missing') }),
      { state: 'refused', reason: 'capability_missing', message: 'why', isFinal: true },
    ],
    [
      'a reason of another version',
      provider({ observedGeneration: 1, conditions: ready('Unknown', 'something_new') }),
      { state: 'refused', reason: 'engine_unreachable', message: 'why', isFinal: false },
    ],
  ])('is understood: %s', (_, seen, verdict) => {
    expect(judge(seen)).toEqual(verdict)
  })

  it('is told with its version, what it says of itself, and what is limited there', () => {
    const facts = { api: '1.41', 'storage driver': 'overlay2' }
    expect(addedText(provider({ version: '20.10.24', facts, limits: ['Live restore is off'] }))).toBe(
      [
        'provider/docker created: Docker 20.10.24 at unix:///var/run/docker.sock',
        '  api:             1.41',
        '  storage driver:  overlay2',
        'What is limited there:',
        '  Live restore is off',
        '',
      ].join('\n'),
    )
    expect(addedText(provider({ version: '28.0.1' }))).toBe(
      'provider/docker created: Docker 28.0.1 at unix:///var/run/docker.sock\n',
    )
  })
})

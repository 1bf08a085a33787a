import { describe, expect, it } from 'vitest'
import { workloadKind } from '../kinds/workload/workload.ts'
import { makePlan, type PlanBasis, planHash } from './plan.ts'

const workload = (name: string, spec: object = {}, metadata: object = {}) =>
  workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name, tenant: 'shop', ...metadata },
    spec: { services: [{ name: 'web', image: 'app:1' }], ...spec },
  })

const web = { kind: 'Workload', tenant: 'shop', name: 'web' }
const db = { kind: 'Workload', tenant: 'shop', name: 'db' }
const instance = { object: web, slot: 'a', engineIds: ['c2', 'c1'], specHash: 'h', replicas: 2 }

const basis: PlanBasis = {
  desired: [workload('web'), workload('db')],
  generations: [
    { object: web, generation: 3 },
    { object: db, generation: 1 },
  ],
  instances: [instance, { ...instance, object: db, slot: 'b' }],
}

const hash = planHash(basis)

describe('the hash of a plan', () => {
  it.each<[string, Partial<PlanBasis>]>([
    ['a spec', { desired: [workload('web', { replicas: 2 }), workload('db')] }],
    ['a label', { desired: [workload('web', {}, { labels: { a: 'b' } }), workload('db')] }],
    ['an object less', { desired: [workload('web')] }],
    [
      'a generation',
      {
        generations: [
          { object: web, generation: 4 },
          { object: db, generation: 1 },
        ],
      },
    ],
    ['an object that is there now', { generations: [{ object: web, generation: 3 }] }],
    [
      'an engine id',
      {
        instances: [
          { ...instance, engineIds: ['c1', 'c3'] },
          { ...instance, object: db, slot: 'b' },
        ],
      },
    ],
    [
      'a spec hash',
      {
        instances: [
          { ...instance, specHash: 'i' },
          { ...instance, object: db, slot: 'b' },
        ],
      },
    ],
    [
      'a number of replicas',
      {
        instances: [
          { ...instance, replicas: 3 },
          { ...instance, object: db, slot: 'b' },
        ],
      },
    ],
    [
      'a slot',
      {
        instances: [
          { ...instance, slot: 'b' },
          { ...instance, object: db, slot: 'b' },
        ],
      },
    ],
  ])('changes with %s', (_, change) => {
    expect(planHash({ ...basis, ...change })).not.toBe(hash)
  })

  it('does not change with the order in which things were looked at', () => {
    expect(
      planHash({
        desired: basis.desired.toReversed(),
        generations: basis.generations.toReversed(),
        instances: basis.instances.toReversed().map((one) => ({ ...one, engineIds: one.engineIds.toReversed() })),
      }),
    ).toBe(hash)
  })

  it('does not change with readiness, restarts, times or anything else that moves by itself', () => {
    const moved = { ready: false, restarts: 7, at: '2026-01-01T00:00:00Z' }
    expect(
      planHash({
        desired: basis.desired.map((one) => ({ ...one, metadata: { ...one.metadata, resourceVersion: 99, uid: 'u' } })),
        generations: basis.generations.map((one) => ({ ...one, ...moved, object: { ...one.object, ...moved } })),
        instances: basis.instances.map((one) => ({ ...one, ...moved })),
      }),
    ).toBe(hash)
  })

  it('is the same for a spec that was written in other words', () => {
    const wordy = workload('web', {
      replicas: 1,
      type: 'deployment',
      services: [{ image: 'app:1', name: 'web', role: '' }],
    })
    expect(planHash({ ...basis, desired: [wordy, workload('db')] })).toBe(hash)
  })
})

describe('a plan', () => {
  it('is its steps and its hash', () => {
    const step = { action: 'keep', object: web, changes: [], reverts: [], restarts: [], engine: [] } as const
    expect(makePlan([step], basis)).toEqual({ steps: [step], hash })
  })
})

import { describe, expect, it } from 'vitest'
import type { Desired } from '../../desired.ts'
import type { Observed, Replica } from '../../observed.ts'
import { planSteps } from './steps.ts'
import { desiredOf, ref, settings, web } from './testing/desired.ts'

const replica = (index: number, { specHash, release }: Pick<Desired, 'specHash' | 'release'>): Replica => ({
  engineId: `pod-${index}`,
  index,
  release,
  specHash,
  ready: true,
  terminating: false,
  services: {},
  endpoints: [],
})

const seen = (replicas: readonly Replica[], drift: readonly string[] = []): Observed => ({
  ref,
  replicas,
  endpoints: [],
  drift,
  notEnforced: [],
  at: new Date(0),
})

const words = (desired: Desired | undefined, observed: Observed | undefined): string[] =>
  planSteps(desired, observed, settings).map(({ verb, object, why }) => `${verb} ${object}: ${why}`)

const name = 'gantry-acme/web-a-926eec5d'

describe('a plan', () => {
  const services = [{ ...web, ports: [{ name: 'http', port: 80 }], env: { A: '1' } }]
  const desired = desiredOf({ replicas: 2, services })
  const there = seen([0, 1].map((index) => replica(index, desired)))

  it('names every object that is to be made', () => {
    const files = [{ ...services[0], ...web, configFiles: [{ name: 'f', path: '/f', content: 'f' }] }]
    const steps = words(desiredOf({ replicas: 2, services: files, type: 'stateful_set' }), undefined)
    expect(steps).toEqual([
      expect.stringMatching(/^create ConfigMap gantry-acme\/web-a-926eec5d-config-[0-9a-f]{10}: release r1$/),
      `create StatefulSet ${name}: release r1, 2 replicas`,
      `create Service ${name}-pods: release r1`,
      `create Service ${name}: release r1`,
      `create PodDisruptionBudget ${name}: release r1`,
      'create replica 0: 2 replicas wanted',
      'create replica 1: 2 replicas wanted',
    ])
  })

  it('is empty where all is as it should be', () => {
    expect(words(desired, there)).toEqual([])
    expect(words({ ...desired, run: 'stopped' }, seen([]))).toEqual([])
  })

  it('replaces what is of another spec', () => {
    expect(words({ ...desired, specHash: 'next', release: 'r2' }, there)).toEqual([
      `change Deployment ${name}: release r2`,
      'replace replica 0: release r2',
      'replace replica 1: release r2',
    ])
  })

  it('adds and takes away', () => {
    expect(words({ ...desired, replicas: 3 }, there)).toEqual([
      `change Deployment ${name}: 3 replicas wanted, 2 there`,
      'create replica 2: 3 replicas wanted',
    ])
    expect(words({ ...desired, run: 'stopped' }, there)).toEqual([
      `change Deployment ${name}: 0 replicas wanted, 2 there`,
      'remove replica 0: 0 replicas wanted',
      'remove replica 1: 0 replicas wanted',
    ])
  })

  it('puts back what somebody else has changed', () => {
    expect(words(desired, seen(there.replicas, ['spec.replicas']))).toEqual([
      `change Deployment ${name}: somebody else has changed spec.replicas`,
    ])
  })

  it('removes all that is there, and nothing where there is nothing', () => {
    expect(words(undefined, there)).toEqual([
      `remove workload ${name}, and all that belongs to it: the instance is to be removed`,
      'remove replica 0: the instance is to be removed',
      'remove replica 1: the instance is to be removed',
    ])
    expect(words(undefined, undefined)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { Desired } from '../../desired.ts'
import type { PodSeen, WorkloadSeen } from '../observe/seen.ts'
import { deployment, pod, second, trimming } from '../observe/testing/objects.ts'
import { podSeen, workloadSeen } from '../observe/trim.ts'
import { pointless, type Seen, waitsFor } from './progress.ts'

const desired = (more: Partial<Desired> = {}): Desired =>
  ({
    run: 'running',
    replicas: 1,
    specHash: 'h1',
    update: { type: 'rolling', maxSurge: 1, maxUnavailable: 0, minReadySeconds: 0 },
    ...more,
  }) as Desired

const workload = (more: Partial<WorkloadSeen> = {}): WorkloadSeen => {
  const seen = workloadSeen(deployment(), trimming)
  if (!seen) throw new Error('not ours')
  return { ...seen, ...more }
}

const one = (more: Partial<PodSeen> = {}): PodSeen => {
  const seen = podSeen(pod(), trimming)
  if (!seen) throw new Error('not ours')
  return { ...seen, ...more }
}

const seen = (more: Partial<Seen> = {}): Seen => ({
  workload: workload(),
  pods: [one()],
  isNodeLost: () => false,
  room: () => ({}),
  now: Date.parse(second(200)),
  ...more,
})

describe('a pass', () => {
  it('is done when all pods are of now and ready, and none of before is left', () => {
    expect(waitsFor(desired(), seen())).toBeUndefined()
  })

  it.each([
    ['the cluster to take it up', desired(), seen({ workload: undefined })],
    ['the cluster to take it up', desired(), seen({ workload: workload({ deleting: true }) })],
    ['the controller of Deployment web-a', desired(), seen({ workload: workload({ generation: 3 }) })],
    ['1 of 1 replicas to be ready', desired(), seen({ pods: [one({ ready: false })] })],
    ['1 of 1 replicas to be ready', desired(), seen({ pods: [one({ specHash: 'old' })] })],
    [
      'a node for 1 of 3 replicas: room is made for it on node big',
      desired({ replicas: 3 }),
      seen({ pods: [one(), one({ ready: false, unschedulable: { message: 'no', at: 0, nominated: 'big' } })] }),
    ],
    [
      '1 of 1 replicas to be ready',
      desired(),
      seen({ pods: [one({ ready: false, unschedulable: { message: 'no', at: 0 } })] }),
    ],
    ['1 replicas of before to leave', desired(), seen({ pods: [one(), one({ specHash: 'old' })] })],
    ['1 replicas to leave', desired(), seen({ pods: [one(), one()] })],
    ['1 replicas to end', desired(), seen({ pods: [one(), one({ deleting: true })] })],
    ['1 replicas to end', desired({ run: 'stopped' }), seen({ pods: [one({ deleting: true })] })],
    ['node node, which says nothing any more', desired(), seen({ isNodeLost: () => true })],
    ['the number of replicas', desired({ replicas: 1 }), seen({ workload: workload({ replicas: 0 }) })],
    [
      'replicas to be ready for 5 s',
      desired({ update: { type: 'recreate', minReadySeconds: 5 } }),
      seen({ workload: workload({ counted: { all: 1, updated: 1, available: 0 } }) }),
    ],
    [
      'replicas to be ready for 5 s',
      desired({ update: { type: 'recreate', minReadySeconds: 5 } }),
      seen({ pods: [one({ readyAt: Date.parse(second(195)) })] }),
    ],
  ])('waits for %s', (words, wanted, there) => {
    expect(waitsFor(wanted, there)).toBe(words)
  })
})

describe('a pod that is in the way', () => {
  const set = workload({ kind: 'StatefulSet' })
  const names = (wanted: Desired, there: Seen): readonly string[] => pointless(wanted, there).map(({ name }) => name)

  it('has failed for good, whoever made it', () => {
    expect(names(desired(), seen({ pods: [one({ phase: 'Failed' })] }))).toEqual(['web-1'])
    expect(names(desired(), seen({ pods: [one({ phase: 'Failed', deleting: true })] }))).toEqual([])
  })

  it('is of before and broken, in a StatefulSet, which waits for it for ever', () => {
    const old = { specHash: 'old', readyAt: Date.parse(second(1)) }
    expect(names(desired(), seen({ workload: set, pods: [one({ ...old, ready: false })] }))).toEqual(['web-1'])
    expect(names(desired(), seen({ workload: set, pods: [one(old)] }))).toEqual([])
    expect(names(desired(), seen({ pods: [one({ ...old, ready: false })] }))).toEqual([])
  })

  it('is of before, in a StatefulSet that is to be made anew all at once', () => {
    const recreate = desired({ update: { type: 'recreate', minReadySeconds: 0 } })
    expect(names(recreate, seen({ workload: set, pods: [one({ specHash: 'old' })] }))).toEqual(['web-1'])
  })
})

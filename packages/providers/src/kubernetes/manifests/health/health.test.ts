import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/types/meta.ts'
import { healthOf } from './health.ts'
import type { Health } from './verdict.ts'

type Row = readonly [string, object, Health['state'], RegExp?]

const object = (apiVersion: string, kind: string, more: object): KubeObject => ({
  apiVersion,
  kind,
  ...more,
  metadata: { name: 'x', generation: 2, ...('metadata' in more ? (more.metadata as object) : {}) },
})

const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more })
const seen = { observedGeneration: 2 }

function rows(apiVersion: string, kind: string, all: readonly Row[]): void {
  describe(kind, () => {
    it.each<[string, object, Health['state'], RegExp | undefined]>(
      all.map(([title, more, state, message]) => [title, more, state, message]),
    )('%s', (_, more, state, message) => {
      const health = healthOf(object(apiVersion, kind, more))
      expect(health.state).toBe(state)
      if (message) expect(health.message).toMatch(message)
      // Whoever fails says why it will not go on.
      expect(health.state !== 'failed' || health.stall !== undefined).toBe(true)
    })
  })
}

const counts = (replicas: number, updated: number, available: number) => ({
  ...seen,
  replicas,
  updatedReplicas: updated,
  availableReplicas: available,
})

rows('apps/v1', 'Deployment', [
  ['not seen by its controller', { status: {} }, 'waiting', /controller/],
  ['an older generation seen', { status: { ...counts(1, 1, 1), observedGeneration: 1 } }, 'waiting', /controller/],
  ['one wanted unless it says', { status: counts(1, 1, 1) }, 'ready'],
  ['too few made anew', { spec: { replicas: 3 }, status: counts(3, 1, 3) }, 'waiting', /1 of 3.*anew/],
  ['old ones still there', { spec: { replicas: 1 }, status: counts(2, 1, 2) }, 'waiting', /1 old/],
  ['not available', { spec: { replicas: 2 }, status: counts(2, 2, 1) }, 'waiting', /1 of 2.*available/],
  ['none wanted, none there', { spec: { replicas: 0 }, status: seen }, 'ready'],
  ['none wanted, some there', { spec: { replicas: 0 }, status: counts(2, 0, 0) }, 'waiting', /2 old/],
  [
    'past its deadline',
    {
      status: {
        ...counts(1, 1, 0),
        conditions: [condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded', message: 'too slow' })],
      },
    },
    'failed',
    /too slow/,
  ],
  [
    'its pods refused',
    { status: { ...counts(0, 0, 0), conditions: [condition('ReplicaFailure', 'True', { message: 'quota' })] } },
    'waiting',
    /quota/,
  ],
  [
    'being deleted',
    { metadata: { deletionTimestamp: 'x', finalizers: ['a/b'] }, status: counts(1, 1, 1) },
    'leaving',
    /a\/b/,
  ],
])

rows('apps/v1', 'StatefulSet', [
  ['not seen', {}, 'waiting'],
  ['not made anew', { status: { ...seen, replicas: 1, readyReplicas: 1 } }, 'waiting', /anew/],
  ['not ready', { status: { ...seen, replicas: 1, updatedReplicas: 1 } }, 'waiting', /ready/],
  [
    'ready',
    {
      status: { ...seen, replicas: 1, readyReplicas: 1, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'a' },
    },
    'ready',
  ],
  [
    'ready, but the revision is not through',
    {
      status: { ...seen, replicas: 1, readyReplicas: 1, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
    },
    'waiting',
  ],
  [
    'changed by hand, which is not waited for',
    {
      spec: { updateStrategy: { type: 'OnDelete' } },
      status: { ...seen, replicas: 1, readyReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
    },
    'ready',
  ],
  [
    'changed from a partition on',
    {
      spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
      status: { ...seen, replicas: 3, readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
    },
    'ready',
  ],
  ['fewer wanted than there are', { spec: { replicas: 0 }, status: { ...seen, replicas: 1 } }, 'waiting', /1 .*to go/],
])

rows('apps/v1', 'DaemonSet', [
  ['not seen', {}, 'waiting'],
  ['nowhere wanted', { status: seen }, 'ready', /no node/],
  ['old', { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1 } }, 'waiting', /1 of 2/],
  [
    'everywhere',
    { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 } },
    'ready',
  ],
  [
    'not available',
    { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 } },
    'waiting',
  ],
])

rows('apps/v1', 'ReplicaSet', [
  ['there', { spec: { replicas: 2 }, status: { ...seen, replicas: 2, availableReplicas: 2 } }, 'ready'],
  ['too few', { spec: { replicas: 2 }, status: { ...seen, replicas: 2, availableReplicas: 1 } }, 'waiting'],
  ['too many', { spec: { replicas: 1 }, status: { ...seen, replicas: 2, availableReplicas: 2 } }, 'waiting'],
])

rows('batch/v1', 'Job', [
  ['just begun', {}, 'waiting', /0 of 1/],
  ['with failures', { spec: { completions: 3 }, status: { succeeded: 1, failed: 2 } }, 'waiting', /1 of 3.*2 failed/],
  ['complete', { status: { conditions: [condition('Complete', 'True')] } }, 'completed'],
  ['failed', { status: { conditions: [condition('Failed', 'True', { message: 'backoff' })] } }, 'failed', /backoff/],
  ['failing', { status: { conditions: [condition('FailureTarget', 'True')] } }, 'waiting'],
  ['suspended', { spec: { suspend: true } }, 'ready', /suspended/],
])

rows('batch/v1', 'CronJob', [['there', {}, 'ready']])

rows('v1', 'Pod', [
  ['not begun', {}, 'waiting'],
  ['pending', { status: { phase: 'Pending' } }, 'waiting', /Pending/],
  [
    'running, not ready',
    { status: { phase: 'Running', conditions: [condition('Ready', 'False', { message: 'no' })] } },
    'waiting',
    /no/,
  ],
  ['running', { status: { phase: 'Running', conditions: [condition('Ready', 'True')] } }, 'ready'],
  [
    'about to have succeeded',
    { status: { phase: 'Running', conditions: [condition('Ready', 'False', { reason: 'PodCompleted' })] } },
    'completed',
  ],
  ['succeeded', { status: { phase: 'Succeeded' } }, 'completed'],
  ['evicted', { status: { phase: 'Failed', reason: 'Evicted' } }, 'failed', /Evicted/],
  [
    'ended badly',
    { status: { phase: 'Failed', containerStatuses: [{ name: 'm', state: { terminated: { exitCode: 3 } } }] } },
    'failed',
    /m ended with exit code 3/,
  ],
])

rows('v1', 'PersistentVolumeClaim', [
  ['pending', { status: { phase: 'Pending' } }, 'waiting'],
  ['bound', { status: { phase: 'Bound' } }, 'ready'],
  ['lost', { status: { phase: 'Lost' } }, 'failed'],
])

rows('v1', 'PersistentVolume', [
  ['available', { status: { phase: 'Available' } }, 'ready'],
  ['failed', { status: { phase: 'Failed', message: 'no' } }, 'failed', /no/],
  ['new', {}, 'waiting'],
])

rows('v1', 'Service', [
  ['of the cluster', { spec: { type: 'ClusterIP' } }, 'ready'],
  ['with a balancer to come', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }, 'waiting', /address/],
  [
    'with a balancer',
    { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    'ready',
  ],
])

rows('networking.k8s.io/v1', 'Ingress', [
  ['without an address, which many never have', {}, 'ready'],
  ['with one', { status: { loadBalancer: { ingress: [{ hostname: 'a.b' }] } } }, 'ready', /a\.b/],
])

rows('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [
  ['new', {}, 'waiting'],
  [
    'names taken',
    { status: { conditions: [condition('NamesAccepted', 'False', { message: 'taken' })] } },
    'failed',
    /taken/,
  ],
  ['names accepted', { status: { conditions: [condition('NamesAccepted', 'True')] } }, 'waiting'],
  ['established', { status: { conditions: [condition('Established', 'True')] } }, 'ready'],
])

rows('apiregistration.k8s.io/v1', 'APIService', [
  ['new', {}, 'waiting'],
  [
    'away',
    { status: { conditions: [condition('Available', 'False', { message: 'no endpoints' })] } },
    'waiting',
    /no endpoints/,
  ],
  ['available', { status: { conditions: [condition('Available', 'True')] } }, 'ready'],
])

rows('policy/v1', 'PodDisruptionBudget', [
  ['new', {}, 'waiting'],
  ['seen', { status: seen }, 'ready'],
])

rows('autoscaling/v2', 'HorizontalPodAutoscaler', [
  ['new', {}, 'ready'],
  [
    'without figures',
    { status: { conditions: [condition('ScalingActive', 'False', { message: 'no metrics' })] } },
    'ready',
    /no metrics/,
  ],
])

rows('v1', 'Namespace', [
  ['there', { status: { phase: 'Active' } }, 'ready'],
  ['going', { status: { phase: 'Terminating' } }, 'waiting'],
])

rows('example.com/v1', 'Anything', [
  ['without a status', {}, 'ready'],
  ['with a status that says nothing', { status: { color: 'blue' } }, 'ready'],
  ['behind', { status: { observedGeneration: 1 } }, 'waiting', /controller/],
  ['ready', { status: { ...seen, conditions: [condition('Ready', 'True')] } }, 'ready'],
  [
    'not ready',
    { status: { conditions: [condition('Ready', 'False', { message: 'no power' })] } },
    'waiting',
    /no power/,
  ],
  ['unknown', { status: { conditions: [condition('Ready', 'Unknown', { reason: 'Waiting' })] } }, 'waiting', /Waiting/],
  ['ready once', { status: { conditions: [condition('Ready', 'True', { observedGeneration: 1 })] } }, 'waiting'],
  ['available', { status: { conditions: [condition('Available', 'True')] } }, 'ready'],
  [
    'Ready over Available',
    { status: { conditions: [condition('Available', 'True'), condition('Ready', 'False')] } },
    'waiting',
  ],
  [
    'stalled',
    { status: { conditions: [condition('Ready', 'False'), condition('Stalled', 'True', { message: 'bad' })] } },
    'failed',
    /bad/,
  ],
  [
    'reconciling',
    { status: { conditions: [condition('Ready', 'True'), condition('Reconciling', 'True')] } },
    'waiting',
  ],
  ['conditions that are none', { status: { conditions: 'none' } }, 'ready'],
])

rows('v1', 'ConfigMap', [
  ['there', {}, 'ready'],
  ['going', { metadata: { deletionTimestamp: 'x' } }, 'leaving'],
])

describe('since when', () => {
  it('is when the last release was through, and not when the first one was', () => {
    const conditions = [
      condition('Available', 'True', { lastTransitionTime: '2026-01-01T00:00:00Z' }),
      condition('Progressing', 'True', { lastUpdateTime: '2026-01-02T00:00:00Z' }),
    ]
    const health = healthOf(object('apps/v1', 'Deployment', { status: { ...counts(1, 1, 1), conditions } }))
    expect(health.since).toEqual(new Date('2026-01-02T00:00:00Z'))
  })
})

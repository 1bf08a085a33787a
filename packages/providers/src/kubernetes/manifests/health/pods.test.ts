import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/types/meta.ts'
import { makerTrouble, podsOf, podTrouble, restartsOf } from './pods.ts'

const now = new Date('2026-01-01T00:01:00Z')

const pod = (name: string, owner: object | undefined, more: object = {}, labels: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  ...more,
  metadata: {
    name,
    namespace: 'n',
    labels: labels as Record<string, string>,
    ...(owner && { ownerReferences: [{ apiVersion: 'x', controller: true, ...owner } as never] }),
  },
})

const maker = (apiVersion: string, kind: string, name = 'web'): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'n', uid: 'u' },
})

describe('the pods of an object', () => {
  const hash = { 'pod-template-hash': 'abc' }
  const all = [
    pod('by-set', { kind: 'ReplicaSet', name: 'web-abc', uid: 'r' }, {}, hash),
    pod('by-other-set', { kind: 'ReplicaSet', name: 'web-x-abc', uid: 'r2' }, {}, hash),
    pod('by-uid', { kind: 'StatefulSet', name: 'web', uid: 'u' }),
    pod('by-cron', { kind: 'Job', name: 'web-29000000', uid: 'j' }),
    pod('by-other-job', { kind: 'Job', name: 'web-x', uid: 'j2' }),
    pod('web', undefined),
  ]

  it.each<[string, KubeObject, string[]]>([
    ['a Deployment: of its ReplicaSets', maker('apps/v1', 'Deployment'), ['by-set', 'by-uid']],
    ['a StatefulSet: its own', maker('apps/v1', 'StatefulSet'), ['by-uid']],
    ['a CronJob: of its Jobs', maker('batch/v1', 'CronJob'), ['by-uid', 'by-cron']],
    ['a Pod: itself', maker('v1', 'Pod'), ['web']],
    [
      'of another namespace: none',
      { ...maker('apps/v1', 'Deployment'), metadata: { name: 'web', namespace: 'm' } },
      [],
    ],
  ])('%s', (_, object, names) => {
    expect(podsOf(object, all).map(({ metadata }) => metadata.name)).toEqual(names)
  })
})

describe('what keeps a pod', () => {
  const status = (state: object, lastState: object = {}) => ({
    status: { containerStatuses: [{ name: 'm', state, lastState, restartCount: 2 }] },
  })
  const looked = () => ({ lookedAt: now.getTime() })
  const unplaced = (at: string) => ({
    status: { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes', lastTransitionTime: at }] },
  })

  it.each<[string, object, string | undefined, RegExp]>([
    ['nothing', status({ running: {} }), undefined, /^$/],
    ['only its beginning', status({ waiting: { reason: 'ContainerCreating' } }), undefined, /^$/],
    [
      'its image',
      status({ waiting: { reason: 'ErrImagePull', message: 'no such' } }),
      'image_pull_failed',
      /m: ErrImagePull: no such/,
    ],
    [
      'its settings',
      status({ waiting: { reason: 'CreateContainerConfigError', message: 'secret x' } }),
      'rollout_stalled',
      /secret x/,
    ],
    [
      'nothing but a busy kubelet',
      status({ waiting: { reason: 'CreateContainerConfigError', message: 'failed to sync secret cache: timed out' } }),
      undefined,
      /^$/,
    ],
    [
      'itself',
      status({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated: { exitCode: 7, reason: 'OOMKilled' } }),
      'rollout_stalled',
      /m: CrashLoopBackOff, its last run ended with exit code 7 \(OOMKilled\)/,
    ],
    ['a node, for long', unplaced('2026-01-01T00:00:00Z'), 'rollout_stalled', /no node for p: 0\/1 nodes/],
    ['a node, for a moment', unplaced('2026-01-01T00:00:59Z'), undefined, /no node for p/],
    [
      'somebody who holds it back',
      {
        status: {
          conditions: [
            {
              type: 'PodScheduled',
              status: 'False',
              reason: 'SchedulingGated',
              message: 'Scheduling is blocked due to non-empty scheduling gates',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      },
      undefined,
      /p is held back: Scheduling is blocked/,
    ],
    [
      'a node that is on its way',
      { status: { ...unplaced('2026-01-01T00:00:00Z').status, nominatedNodeName: 'big' } },
      undefined,
      /waiting for a node for p: room is made for it on node big/,
    ],
  ])('%s', (_, more, reason, message) => {
    const trouble = podTrouble(pod('p', undefined, more), now, looked)
    expect(trouble?.stall?.reason).toBe(reason)
    expect(trouble?.message ?? '').toMatch(message)
  })

  it('of a pod that is leaving is nobody’s business', () => {
    const leaving = pod('p', undefined, status({ waiting: { reason: 'ErrImagePull' } }))
    const gone = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: 'x' } }
    expect(podTrouble(gone, now, looked)).toBeUndefined()
    expect(restartsOf(leaving)).toBe(2)
  })
})

describe('what keeps the maker of pods', () => {
  const event = (uid: string, at: string, message: string): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'n' },
      involvedObject: { uid },
      lastTimestamp: at,
      message,
    }) as KubeObject
  const refused = [
    event('u', '2026-01-01T00:00:01Z', 'first'),
    event('u', '2026-01-01T00:00:03Z', 'last'),
    event('other', '2026-01-01T00:00:05Z', 'not ours'),
  ]
  const made = (at: string): KubeObject => {
    const one = pod('p', undefined)
    return { ...one, metadata: { ...one.metadata, creationTimestamp: at } }
  }

  it.each<[string, KubeObject[], string | undefined]>([
    ['is the last refusal', [], 'last'],
    ['is one since the youngest pod', [made('2026-01-01T00:00:02Z')], 'last'],
    ['is nothing that was overcome', [made('2026-01-01T00:00:04Z')], undefined],
  ])('%s', (_, pods, message) => {
    expect(makerTrouble(maker('apps/v1', 'StatefulSet'), refused, pods)?.stall?.message).toBe(message)
  })
})

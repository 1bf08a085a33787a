import { describe, expect, it } from 'vitest'
import type { InstanceFacts, PodFacts } from './facts.ts'
import type { Pod, WorkloadObject } from './objects.ts'
import { engineIdOf, observedOf, podOfEngineId } from './observed-of.ts'
import type { ServiceSeen } from './seen.ts'
import {
  deployment,
  ended,
  type PodMore,
  pod,
  ref,
  running,
  second,
  trimming,
  waiting,
  web,
} from './testing/objects.ts'
import { podSeen, workloadSeen } from './trim.ts'

const at = (seconds: number): Date => new Date(seconds * 1000)

function podFacts(object: Pod, more: Partial<PodFacts> = {}): PodFacts {
  const seen = podSeen(object, trimming)
  if (!seen) throw new Error('not ours')
  return { pod: seen, index: 0, nodeLost: false, room: {}, words: {}, ends: {}, ...more }
}

function observed(pods: readonly PodFacts[], more: Partial<InstanceFacts> = {}, object?: WorkloadObject) {
  const seen = object && workloadSeen(object, trimming)
  return observedOf({
    ref,
    workload: seen && { seen, words: {} },
    pods,
    services: [],
    pending: [],
    trouble: undefined,
    drift: [],
    via: 'direct',
    connectionAgeMs: undefined,
    nodeAddress: undefined,
    since: () => at(111),
    now: 200_000,
    ...more,
  })
}

const one = (more: PodMore = {}, facts: Partial<PodFacts> = {}, instance: Partial<InstanceFacts> = {}) => {
  const { replicas, stalled } = observed([podFacts(pod(more), facts)], instance, deployment())
  const [replica] = replicas
  return { replica, web: replica?.services.web, stalled }
}

describe('a pod that runs', () => {
  it('is a replica with its release, its address and since when it is ready', () => {
    const { replica } = one()
    expect(replica).toEqual({
      engineId: 'gantry-acme/web-1/uid-web-1',
      index: 0,
      release: 'r1',
      specHash: 'h1',
      ready: true,
      readySince: at(101),
      terminating: false,
      services: {
        web: {
          role: 'main',
          phase: 'running',
          ready: true,
          restarts: 0,
          startedAt: at(100),
          engineId: 'containerd://web',
        },
      },
      endpoints: [
        {
          service: 'web',
          port: 'http',
          protocol: 'http',
          stable: false,
          public: false,
          via: 'direct',
          dial: { host: '10.0.0.1', port: 8080 },
        },
      ],
    })
    expect(podOfEngineId(replica?.engineId ?? '')).toEqual({
      namespace: 'gantry-acme',
      name: 'web-1',
      uid: 'uid-web-1',
    })
    expect(podOfEngineId('web-1')).toBeUndefined()
  })

  it('is neither ready nor not where its node says nothing any more', () => {
    const { replica, web: service } = one({}, { nodeLost: true })
    expect([replica?.ready, replica?.readySince, service?.ready, service?.phase]).toEqual([
      undefined,
      undefined,
      undefined,
      'running',
    ])
  })

  it('starts until its check has passed, and is unready when the check fails later', () => {
    const checked = [{ ...web, check: true }]
    const unready = { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: second(120) }] } as const
    const starting = { ...unready, containerStatuses: [running('web', { ready: false, started: false })] }
    const failing = { ...unready, containerStatuses: [running('web', { ready: false })] }
    expect(one({ services: checked, status: starting }).web).toMatchObject({ phase: 'starting', ready: false })
    expect(one({ services: checked, status: failing }).web).toMatchObject({ phase: 'running', ready: false })
    expect(one({ services: checked, status: failing }).replica?.ready).toBe(false)
  })

  it('that leaves is not ready, cannot be dialled, and its services end', () => {
    const { replica } = one({ metadata: { deletionTimestamp: second(150) } })
    expect(replica).toMatchObject({
      ready: false,
      terminating: true,
      endpoints: [],
      services: { web: { phase: 'stopping' } },
    })
    const over = one({
      metadata: { deletionTimestamp: second(150) },
      status: { containerStatuses: [{ ...running('web'), state: ended(0) }] },
    })
    expect(over.web?.phase).toBe('stopped')
  })
})

describe('a container', () => {
  it.each([
    ['has crashed', { ...running('web', { ready: false }), state: ended(3) }, 'crashed', 3, 'exited with code 3'],
    [
      'waits to be started again',
      { ...waiting('web', 'CrashLoopBackOff', { restartCount: 2 }), lastState: ended(1) },
      'crashed',
      1,
      'exited with code 1',
    ],
    [
      'was killed for want of memory',
      { ...running('web', { ready: false }), state: ended(137, { reason: 'OOMKilled' }) },
      'crashed',
      137,
      'was killed when it reached its limit of memory (OOMKilled, exit code 137)',
    ],
    [
      'could not be started at all',
      { ...running('web', { ready: false }), state: ended(128, { reason: 'StartError', message: 'no such file' }) },
      'crashed',
      128,
      'exited with code 128 (StartError): no such file',
    ],
    [
      'ended while nobody looked',
      { ...running('web', { ready: false }), state: ended(137, { reason: 'ContainerStatusUnknown' }) },
      'crashed',
      'unknown',
      'ended while nobody looked, with an exit code that is not known',
    ],
    ['is being made', waiting('web', 'ContainerCreating'), 'waiting', undefined, undefined],
    [
      'has no image',
      waiting('web', 'ImagePullBackOff', { message: 'Back-off pulling image "x"' }),
      'crashed',
      undefined,
      'Back-off pulling image "x" (ImagePullBackOff)',
    ],
  ] as const)('that %s is said to be', (_, status, phase, exitCode, message) => {
    const { web: seen } = one({ status: { containerStatuses: [status] } })
    expect([seen?.phase, seen?.exitCode, seen?.message]).toEqual([phase, exitCode, message])
  })

  it('that ended is quoted with its last line', () => {
    const status = { ...running('web', { ready: false }), state: ended(3) }
    const { web: seen } = one(
      { status: { containerStatuses: [status] } },
      { words: { lastLines: { web: 'no database' } } },
    )
    expect(seen?.message).toBe('exited with code 3: no database')
  })
})

describe('a stall', () => {
  const crashing = { ...waiting('web', 'CrashLoopBackOff', { restartCount: 2 }), lastState: ended(3) }
  const init = { name: 'migrate', role: 'init', check: false, ports: [] } as const
  const unplaced = (seconds: number) => ({
    phase: 'Pending',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '1 Insufficient cpu',
        lastTransitionTime: second(seconds),
      },
    ] as const,
    containerStatuses: [],
  })

  it.each([
    [
      'a crash loop',
      { status: { containerStatuses: [crashing] } },
      {},
      'rollout_stalled',
      'web keeps crashing: exited with code 3: cannot open',
    ],
    [
      'an image that cannot be had',
      { status: { containerStatuses: [waiting('web', 'ErrImagePull', { message: 'not found' })] } },
      {},
      'image_pull_failed',
      'web: not found (ErrImagePull)',
    ],
    [
      'a secret that is not there',
      {
        status: {
          containerStatuses: [waiting('web', 'CreateContainerConfigError', { message: 'secret "x" not found' })],
        },
      },
      {},
      'rollout_stalled',
      'web: secret "x" not found (CreateContainerConfigError)',
    ],
    [
      'an init that failed twice',
      {
        services: [init, web],
        status: {
          initContainerStatuses: [{ ...running('migrate', { ready: false, restartCount: 1 }), state: ended(3) }],
          containerStatuses: [waiting('web', 'PodInitializing')],
        },
      },
      {},
      'init_failed',
      'init service migrate exited with code 3',
    ],
    [
      'no place',
      { spec: { nodeName: '' }, status: unplaced(190) },
      {},
      'rollout_stalled',
      'it finds no node: 1 Insufficient cpu',
    ],
    [
      'an eviction',
      { status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory', containerStatuses: [] } },
      {},
      'rollout_stalled',
      'it has failed: The node was low on memory',
    ],
    [
      'a volume that cannot be mounted',
      { status: { phase: 'Pending', containerStatuses: [waiting('web', 'ContainerCreating')] } },
      { event: { reason: 'FailedMount', message: 'no such volume' } },
      'rollout_stalled',
      'it cannot start: no such volume (FailedMount)',
    ],
  ] as const)('is %s, in the words of the cluster', (_, more, words, reason, message) => {
    const room = { lookedAt: 200_000 }
    const { stalled } = one(more, { room, words: { lastLines: { web: 'cannot open' }, ...words } })
    expect(stalled).toMatchObject({ reason, message, at: at(111), replica: 0 })
  })

  it.each([
    ['a place that is looked for since a moment', { spec: { nodeName: '' }, status: unplaced(198) }],
    [
      'an init that failed once',
      {
        services: [init, web],
        status: { initContainerStatuses: [{ ...running('migrate', { ready: false }), state: ended(3) }] },
      },
    ],
    ['a first crash', { status: { containerStatuses: [{ ...running('web', { ready: false }), state: ended(3) }] } }],
    ['what leaves', { metadata: { deletionTimestamp: second(1) }, status: { containerStatuses: [crashing] } }],
    [
      'what is of another release',
      {
        metadata: { labels: { ...pod().metadata.labels, 'gantry.dev/spec-hash': 'old' } },
        status: { containerStatuses: [crashing] },
      },
    ],
  ] as const)('is not %s', (_, more) => {
    expect(one(more).stalled).toBeUndefined()
  })

  it('is what a runtime fails at for a while, and not what it failed at once', () => {
    const status = { containerStatuses: [waiting('web', 'RunContainerError', { message: 'no cgroup' })] }
    expect(one({ status }, {}, { since: () => at(198) }).stalled).toBeUndefined()
    expect(one({ status }, {}, { since: () => at(197) }).stalled).toMatchObject({
      message: 'web: no cgroup (RunContainerError)',
      at: at(197),
    })
  })

  it('is a registry that does not know us when it was asked twice: a busy kubelet forgets an account the first time', () => {
    const status = { containerStatuses: [waiting('web', 'ErrImagePull', { message: '401 Unauthorized' })] }
    expect(one({ status }, {}, { since: () => at(190) }).stalled).toBeUndefined()
    expect(one({ status }, {}, { since: () => at(188) }).stalled?.reason).toBe('image_pull_failed')
  })

  it('is not a secret that a busy kubelet has not read yet, unless it never does', () => {
    const message = 'failed to sync secret cache: timed out waiting for the condition'
    const status = { containerStatuses: [waiting('web', 'CreateContainerConfigError', { message })] }
    expect(one({ status }, {}, { since: () => at(171) }).stalled).toBeUndefined()
    expect(one({ status }, {}, { since: () => at(170) }).stalled?.reason).toBe('rollout_stalled')
  })

  it('is what a node says of a volume for a while, and not what it said once of one that it did not know yet', () => {
    const status = { phase: 'Pending', containerStatuses: [waiting('web', 'ContainerCreating')] }
    const words = { words: { event: { reason: 'FailedMount', message: 'no relationship found' } } }
    expect(one({ status }, words, { since: () => at(193) }).stalled).toBeUndefined()
    expect(one({ status }, words, { since: () => at(192) }).stalled?.reason).toBe('rollout_stalled')
  })

  it('is not a node that somebody says is on its way, nor a claim that waits for it as its pod does', () => {
    const volumes = [{ persistentVolumeClaim: { claimName: 'data' } }]
    const more = { spec: { nodeName: '', volumes }, status: unplaced(100) }
    const room = { lookedAt: 199_000, word: { coming: true, message: 'pod triggered scale-up: 1->2' } }
    const pending = [{ name: 'data', createdAt: 100_000, words: {} }]
    const seen = one(more, { room }, { pending })
    expect(seen.stalled).toBeUndefined()
    expect(seen.web).toMatchObject({ phase: 'waiting', message: 'waiting for a node: pod triggered scale-up: 1->2' })
    const nominated = { ...unplaced(100), nominatedNodeName: 'big' }
    expect(one({ ...more, status: nominated }, { room: { lookedAt: 199_000 } }).stalled).toBeUndefined()
  })

  it('is no place where whoever could make room says that it cannot', () => {
    const word = { coming: false, message: "pod didn't trigger scale-up" }
    const more = { spec: { nodeName: '' }, status: unplaced(190) }
    expect(one(more, { room: { lookedAt: 193_000, word } }).stalled?.message).toBe(
      "it finds no node: 1 Insufficient cpu; pod didn't trigger scale-up",
    )
  })

  it('is a claim that nobody provides, and not the place that waits for it', () => {
    const more = {
      spec: { nodeName: '', volumes: [{ persistentVolumeClaim: { claimName: 'data-web-0' } }] },
      status: unplaced(190),
    }
    const claim = (createdAt: number) => ({
      name: 'data-web-0',
      createdAt,
      words: { event: { reason: 'ProvisioningFailed', message: 'no disk left' } },
    })
    expect(one(more, {}, { pending: [claim(199_000)] }).stalled).toBeUndefined()
    expect(one(more, {}, { pending: [claim(180_000)] }).stalled?.message).toBe(
      'volume claim data-web-0 is pending: no disk left (ProvisioningFailed)',
    )
  })

  it('is a quota that refuses pods, by the condition of a Deployment or the event of a StatefulSet', () => {
    const condition = {
      type: 'ReplicaFailure',
      status: 'True',
      message: 'exceeded quota',
      lastTransitionTime: second(120),
    } as const
    expect(observed([], {}, deployment({ status: { conditions: [condition] } })).stalled).toMatchObject({
      reason: 'rollout_stalled',
      message: 'the cluster refuses a replica: exceeded quota',
    })
    const seen = workloadSeen(deployment(), trimming)
    const workload = seen && { seen, words: { event: { reason: 'FailedCreate', message: 'denied' } } }
    expect(observed([], { workload }).stalled?.message).toBe('the cluster refuses a replica: denied')
    expect(observed([podFacts(pod())], { workload }).stalled).toBeUndefined()
  })

  it('is a service that was restarted more often than it may be, also while it runs again', () => {
    const status = { containerStatuses: [running('web', { restartCount: 2, lastState: ended(137) })] }
    const wished = deployment({ wishes: { maxPerHour: 1 } })
    const pods = (ends: number) => [podFacts(pod({ status }), { ends: { web: ends } })]
    expect(observed(pods(1), {}, wished).stalled).toBeUndefined()
    expect(observed(pods(2), {}, wished).stalled?.message).toBe(
      'web exited with code 137, and was restarted more than 1 times within an hour',
    )
  })
})

describe('endpoints of an instance', () => {
  const service: ServiceSeen = {
    uid: 's',
    namespace: 'gantry-acme',
    name: 'web-a',
    resourceVersion: '1',
    ref,
    workload: { tenant: 'acme', workload: 'web', uid: 'u1' },
    deleting: false,
    type: 'ClusterIP',
    clusterIp: '10.96.0.7',
    ports: [{ port: 8080, protocol: 'TCP', nodePort: undefined }],
    selector: {},
    balancers: [],
    applied: undefined,
  }

  it('are at the address of its Service, which outlives every pod', () => {
    const { endpoints } = observed([], { services: [service] }, deployment())
    expect(endpoints).toMatchObject([
      {
        service: 'web',
        port: 'http',
        stable: true,
        public: false,
        via: 'direct',
        dial: { host: '10.96.0.7', port: 8080 },
      },
    ])
  })

  it('are public at a port of every node, and marked where the cluster is not routable from here', () => {
    const open = { ...service, type: 'NodePort', ports: [{ port: 8080, protocol: 'TCP', nodePort: 30_123 }] }
    const { endpoints } = observed([], { services: [open], via: 'tunnel', nodeAddress: '192.168.0.1' }, deployment())
    expect(endpoints.map(({ via, public: isPublic, dial }) => [via, isPublic, dial])).toEqual([
      ['tunnel', false, { host: '10.96.0.7', port: 8080 }],
      ['direct', true, { host: '192.168.0.1', port: 30_123 }],
    ])
  })

  it('are outside those of the workload, while that lets its slot in', () => {
    const of = (slot: string) => ({
      ...service,
      ref: undefined,
      ports: [{ port: 8080, protocol: 'TCP', nodePort: 30_123 }],
      selector: { 'gantry.dev/slot': slot },
    })
    const dials = (slot: string) =>
      observed([], { services: [of(slot)], nodeAddress: '192.168.0.1' }, deployment()).endpoints.map(({ dial }) => dial)
    expect(dials('a')).toEqual([{ host: '192.168.0.1', port: 30_123 }])
    expect(dials('b')).toEqual([])
  })

  it('are none of a Service without an address', () => {
    expect(observed([], { services: [{ ...service, clusterIp: undefined }] }, deployment()).endpoints).toEqual([])
  })
})

describe('a pod of a StatefulSet', () => {
  it('has the number of its name, and an id that none before it had', () => {
    const owned = {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'x', controller: true }],
    }
    const seen = podSeen(pod({ name: 'web-12', metadata: owned }), trimming)
    expect([seen?.ordinal, podSeen(pod({ name: 'web-12' }), trimming)?.ordinal]).toEqual([12, undefined])
    expect(seen && engineIdOf(seen)).toContain('/web-12/uid-')
  })
})

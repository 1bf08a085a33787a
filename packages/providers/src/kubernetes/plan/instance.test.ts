import { describe, expect, it } from 'vitest'
import { label } from '../../labels.ts'
import type { PodSpec } from '../api/types/pods.ts'
import type { SecretObject } from '../api/types/storage.ts'
import type { Deployment, StatefulSet } from '../api/types/workloads.ts'
import { annotation } from '../observe/record.ts'
import { planInstance } from './instance.ts'
import type { PlannedObject } from './planned.ts'
import { planWorkloadService } from './service.ts'
import { corpus } from './testing/corpus.ts'
import { desiredOf, type ServiceInput, type SpecInput, settings, web } from './testing/desired.ts'

const http = [{ name: 'http', port: 8080 }]
const side: ServiceInput = { ...web, name: 'side', role: 'sidecar' }
const plan = (spec: SpecInput = {}, more = {}) => planInstance(desiredOf(spec), { ...settings, ...more })
const deployment = (spec: SpecInput = {}) => (plan(spec).workload.body as Deployment).spec
const set = (spec: SpecInput = {}) => (plan({ type: 'stateful_set', ...spec }).workload.body as StatefulSet).spec
const pod = (...services: readonly ServiceInput[]): PodSpec => deployment({ services: [...services] }).template.spec
const kinds = (objects: readonly PlannedObject[]): string[] => objects.map(({ at }) => `${at.resource.kind} ${at.name}`)

describe('every object of an instance', () => {
  it.each([...corpus])('of %s is where it says, and carries who has it', (_, desired) => {
    const { config, claims, workload, others, namespace } = planInstance(desired, settings)
    for (const { at, body } of [...config, ...claims, workload, ...others]) {
      expect(at.namespace).toBe(namespace)
      expect(body).toMatchObject({ kind: at.resource.kind, metadata: { namespace, name: at.name } })
      expect(body.metadata.labels).toMatchObject({
        [label.installation]: 'inst',
        [label.uid]: desired.ref.uid,
        [label.slot]: desired.ref.slot,
        team: 'web',
      })
    }
  })

  it('has the user’s labels over those of the Provider, and ours over all', () => {
    const labels = { team: 'web', [label.uid]: 'stolen' }
    const { workload } = planInstance(desiredOf({}, { labels }), {
      ...settings,
      labels: { team: 'all', site: 'x', [label.slot]: 'stolen' },
    })
    expect(workload.body.metadata.labels).toMatchObject({
      team: 'web',
      site: 'x',
      [label.uid]: 'u1',
      [label.slot]: 'a',
    })
  })

  it.each([...corpus])('of %s shows no secret outside Secrets', (_, desired) => {
    const { config, claims, workload, others } = planInstance(desired, settings)
    const open = [...config.filter(({ at }) => at.resource.kind !== 'Secret'), ...claims, workload, ...others]
    expect(JSON.stringify(open)).not.toMatch(/hidden|open sesame/)
  })
})

describe('what is made', () => {
  it('is a Deployment alone where nothing else is needed', () => {
    const { config, claims, workload, others, name } = plan()
    expect([...kinds(config), ...kinds(claims), ...kinds([workload]), ...kinds(others)]).toEqual([`Deployment ${name}`])
  })

  it('is a Service where there is a port, and a budget where there are several', () => {
    const { others, name } = plan({ replicas: 2, services: [{ ...web, ports: http }] })
    expect(kinds(others)).toEqual([`Service ${name}`, `PodDisruptionBudget ${name}`])
    expect(others[1]?.body).toMatchObject({ spec: { maxUnavailable: 1 } })
    expect(kinds(plan({ replicas: 2, run: 'stopped' }).others)).toEqual([])
  })

  it('is a StatefulSet with a Service that gives every pod a name, and one that stands for all', () => {
    const { workload, others, name } = plan({ type: 'stateful_set', services: [{ ...web, ports: http }] })
    expect(kinds([workload, ...others])).toEqual([`StatefulSet ${name}`, `Service ${name}-pods`, `Service ${name}`])
    expect(others[0]?.body).toMatchObject({ spec: { clusterIP: 'None', publishNotReadyAddresses: true } })
    expect((workload.body as StatefulSet).spec.serviceName).toBe(`${name}-pods`)
    expect(kinds(plan({ type: 'stateful_set' }).others)).toEqual([`Service ${name}-pods`])
  })

  it('is a Secret for each registry account, whose name stays', () => {
    const services = [{ ...web, image: 'registry.invalid:5000/a/b:1', imagePullSecret: 'r' }, side]
    const { config, name } = plan({ services }, { imagePullSecrets: ['there'] })
    expect(kinds(config)).toEqual([`Secret ${name}-pull-web`])
    const data = (config[0]?.body as SecretObject | undefined)?.data ?? {}
    const auth = Buffer.from('me:open sesame').toString('base64')
    expect(JSON.parse(Buffer.from(data['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
      auths: { 'registry.invalid:5000': { username: 'me', password: 'open sesame', auth } },
    })
    const planned = planInstance(desiredOf({ services }), { ...settings, imagePullSecrets: ['there'] })
    expect((planned.workload.body as Deployment).spec.template.spec.imagePullSecrets).toEqual([
      { name: 'there' },
      { name: `${name}-pull-web` },
    ])
  })
})

describe('a Deployment', () => {
  it('rolls as it is told, for as long as it takes, and keeps nothing of before', () => {
    expect(deployment({ replicas: 3, strategy: { maxSurge: 2, maxUnavailable: 1, minReadySeconds: 7 } })).toMatchObject(
      {
        replicas: 3,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
        minReadySeconds: 7,
        progressDeadlineSeconds: 2_147_483_647,
        revisionHistoryLimit: 0,
      },
    )
    expect(deployment({ strategy: { type: 'recreate' } }).strategy).toEqual({ type: 'Recreate' })
    expect(deployment({ replicas: 3, run: 'stopped' }).replicas).toBe(0)
  })

  it('finds its pods by what never changes of an instance', () => {
    const { selector, template } = deployment()
    expect(selector.matchLabels).toEqual({ [label.installation]: 'inst', [label.uid]: 'u1', [label.slot]: 'a' })
    expect(template.metadata.labels).toMatchObject(selector.matchLabels)
  })

  it('says what was asked for beside its pods', () => {
    const resources = { pids: 9, bestEffort: true }
    const { workload } = plan({
      services: [{ ...web, resources, ports: http }],
      restart: { maxPerHour: 3 },
      expose: 'node',
    })
    expect(JSON.parse(workload.body.metadata.annotations?.[annotation.wishes] ?? '')).toEqual({
      maxPerHour: 3,
      minReadySeconds: 2,
      notEnforced: ['spec.services[0].resources.pids'],
      expose: 'node',
    })
  })
})

describe('a StatefulSet', () => {
  const volumes = [{ name: 'data', path: '/data' }]

  it('goes one by one, or when it is told to', () => {
    expect(set()).toMatchObject({ podManagementPolicy: 'OrderedReady', updateStrategy: { type: 'RollingUpdate' } })
    expect(set({ strategy: { type: 'recreate' } }).updateStrategy).toEqual({ type: 'OnDelete' })
  })

  it('leaves claims alone when it goes', () => {
    expect(set().persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' })
  })

  it('has a claim for each volume of each replica, whose labels say whose it is now', () => {
    const { claims, workload, name } = plan({
      type: 'stateful_set',
      replicas: 2,
      services: [{ ...web, volumes: [...volumes, { name: 'logs', path: '/logs', size: '5Gi', retain: false }] }],
      engine: { kubernetes: { storageClass: 'fast' } },
    })
    expect(claims.map(({ at }) => at.name)).toEqual(
      ['data', 'logs'].flatMap((volume) => [0, 1].map((ordinal) => `${volume}-${name}-${ordinal}`)),
    )
    expect(claims[3]?.body).toMatchObject({
      metadata: {
        labels: { [label.uid]: 'u1', [label.replica]: '1', 'gantry.dev/volume': 'logs', 'gantry.dev/retain': 'false' },
      },
      spec: { storageClassName: 'fast', resources: { requests: { storage: '5Gi' } } },
    })
    expect(claims[0]?.body).toMatchObject({ spec: { resources: { requests: { storage: '1Gi' } } } })
    const templates = (workload.body as StatefulSet).spec.volumeClaimTemplates
    expect(templates?.map(({ metadata }) => metadata.labels?.[label.uid])).toEqual([undefined, undefined])
  })

  it('is what a deployment with volumes is too, but all at once', () => {
    const { workload, claims } = plan({
      replicas: 2,
      strategy: { maxSurge: 0 },
      services: [{ ...web, volumes: [{ ...volumes[0], name: 'data', path: '/data', type: 'persistent' }] }],
    })
    expect([workload.at.resource.kind, claims.length]).toEqual(['StatefulSet', 2])
    expect((workload.body as StatefulSet).spec.podManagementPolicy).toBe('Parallel')
  })
})

describe('a pod', () => {
  it('has one container for each service, and its own image’s words where nothing is said', () => {
    const { containers } = pod(web)
    expect(containers).toEqual([{ name: 'web', image: 'app:1', imagePullPolicy: 'IfNotPresent' }])
  })

  it('runs what a release was pinned to, whatever the tag means now', () => {
    const desired = desiredOf()
    const services = desired.services.map((service) => ({ ...service, pinnedImage: 'app@sha256:abc' }))
    const { workload } = planInstance({ ...desired, services }, settings)
    expect((workload.body as Deployment).spec.template.spec.containers[0]?.image).toBe('app@sha256:abc')
  })

  it('lets siblings find each other by name, and tells it of no other Services', () => {
    expect(pod(web, side)).toMatchObject({
      hostAliases: [{ ip: '127.0.0.1', hostnames: ['web', 'side'] }],
      enableServiceLinks: false,
      automountServiceAccountToken: false,
    })
  })

  it('opens on the node what asks for it', () => {
    const ports = [
      { name: 'http', port: 80, hostPort: 8080, bind: '0.0.0.0' },
      { name: 'dns', port: 53, protocol: 'udp' as const },
    ]
    const spec = { strategy: { type: 'recreate' as const }, services: [{ ...web, ports }] }
    expect(deployment(spec).template.spec.containers[0]?.ports).toEqual([
      { containerPort: 80, protocol: 'TCP', hostPort: 8080, hostIP: '0.0.0.0' },
      { containerPort: 53, protocol: 'UDP' },
    ])
  })

  it('goes on answering for a while before it ends, where anybody can ask it', () => {
    const spec = pod({ ...web, ports: http }, side)
    expect(spec.terminationGracePeriodSeconds).toBe(16)
    expect(spec.containers.map(({ lifecycle }) => lifecycle?.preStop.sleep.seconds)).toEqual([6, undefined])
    expect(pod(web).terminationGracePeriodSeconds).toBe(10)
  })

  it('has whoever is waited for in a row before the others, inits first', () => {
    const { initContainers, containers } = pod(
      { ...web, dependsOn: [{ service: 'db', until: 'healthy' }] },
      { ...side, name: 'db', ports: http, healthCheck: { tcp: { port: 'http' } } },
      { ...side, name: 'migrate', role: 'init', ports: [{ name: 'x', port: 1 }] },
      side,
    )
    const row = initContainers?.map(({ name, restartPolicy, startupProbe }) => [
      name,
      restartPolicy,
      startupProbe !== undefined,
    ])
    expect(row).toEqual([
      ['migrate', undefined, false],
      ['db', 'Always', true],
    ])
    expect(initContainers?.[0]?.lifecycle).toBeUndefined()
    expect(containers.map(({ name }) => name)).toEqual(['web', 'side'])
  })

  it('carries annotations of its services, and ours over them', () => {
    const services = [
      { ...web, ports: http, annotations: { note: 'n', [annotation.services]: 'stolen' } },
      { ...side, annotations: { more: 'm' } },
    ]
    const { annotations } = deployment({ services }).template.metadata
    expect(annotations).toMatchObject({ note: 'n', more: 'm', 'kubectl.kubernetes.io/default-container': 'web' })
    expect(JSON.parse(annotations?.[annotation.services] ?? '')).toEqual([
      { name: 'web', role: 'main', check: false, ports: [{ name: 'http', port: 8080, protocol: 'http' }] },
      { name: 'side', role: 'sidecar', check: false, ports: [] },
    ])
  })

  it('is who, and goes where, it is wished to', () => {
    const kubernetes = {
      serviceAccount: 'builder',
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'a', value: 'b' }, { operator: 'Exists' as const }],
    }
    expect(deployment({ engine: { kubernetes } }).template.spec).toMatchObject({
      serviceAccountName: 'builder',
      automountServiceAccountToken: true,
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'a', operator: 'Equal', value: 'b' }, { operator: 'Exists' }],
    })
  })
})

describe('the Service of a workload', () => {
  const exposed = desiredOf({ expose: 'node', services: [{ ...web, ports: http }] })
  const spec = (slots: readonly ('a' | 'b')[]) => planWorkloadService(exposed, settings, slots)?.body.spec

  it('lets in one slot, or both, and is where a workload is exposed', () => {
    expect(spec(['b'])?.selector).toEqual({ [label.installation]: 'inst', [label.uid]: 'u1', [label.slot]: 'b' })
    expect(spec(['a', 'b'])?.selector).toEqual({ [label.installation]: 'inst', [label.uid]: 'u1' })
    expect(spec(['a'])).toMatchObject({ type: 'NodePort', ports: [{ name: 'http', port: 8080, targetPort: 8080 }] })
    const [service] = planInstance(exposed, settings).others
    expect(service?.body).toMatchObject({ spec: { type: 'ClusterIP' } })
  })

  it('is called as the workload is, and belongs to no slot', () => {
    const service = planWorkloadService(exposed, settings, ['a'])
    expect([service?.at.namespace, service?.at.name]).toEqual(['gantry-acme', 'web'])
    expect(service?.body.metadata.labels?.[label.slot]).toBeUndefined()
  })

  it('is none without ports; those of an init are none', () => {
    expect(planWorkloadService(desiredOf(), settings, ['a'])).toBeUndefined()
    const init = desiredOf({ services: [web, { ...web, name: 'i', role: 'init', ports: http }] })
    expect(planWorkloadService(init, settings, ['a'])).toBeUndefined()
  })
})

/** The whole runtime together: objects, controller, tree, drivers; and a day of it in milliseconds. */
import { Fault, type GantryObject } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Controller } from '../controller/controller.ts'
import type { ControllerOptions } from '../controller/controller-options.ts'
import { application } from '../provisioners/application/application.ts'
import { concurrent } from '../provisioners/concurrent.ts'
import { conditional } from '../provisioners/conditional.ts'
import type { Provisioner } from '../provisioners/provisioner.ts'
import { remoteCluster } from '../provisioners/remote/remote-cluster.ts'
import { resource } from '../provisioners/resource.ts'
import { serial } from '../provisioners/serial.ts'
import { breaking, type Mishap } from '../testing/breaking.ts'
import { MemoryApplications } from '../testing/memory-applications.ts'
import { MemoryClusterSource, MemoryClusters } from '../testing/memory-clusters.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { MemoryResources } from '../testing/memory-resources.ts'
import { manageObject } from './manage-object.ts'

type Spec = { readonly monitoring?: boolean; readonly size?: number }

const call = { signal: new AbortController().signal }
let clock: VirtualClock
let objects: MemoryObjects
let machines: MemoryResources
let tool: MemoryApplications
let clusters: MemoryClusters
let controller: Controller | undefined
let mishap: (method: string) => Mishap | undefined

beforeEach(() => {
  clock = new VirtualClock()
  objects = new MemoryObjects('Cluster', clock)
  machines = new MemoryResources({ removalPasses: 3 })
  tool = new MemoryApplications({ clock, installMs: 3000, removeMs: 2000 })
  clusters = new MemoryClusters()
  mishap = () => undefined
})

afterEach(async () => {
  const stopped = controller?.stop({ deadlineMs: 10 }, call)
  await clock.advance(10)
  await stopped
  controller = undefined
  expect(clock.pending).toBe(0)
})

/** From machines to applications on them, in one tree. */
function tree({ metadata: { name }, spec }: GantryObject): Provisioner {
  const { monitoring = false, size = 1 } = spec as Spec
  const driver = breaking(machines, (method) => mishap(method))
  const remote = remoteCluster({
    name: 'remote',
    source: new MemoryClusterSource(name, { server: name, kubeconfig: name }),
    driver: clusters,
  })
  const app = (title: string) =>
    application({
      name: title,
      owner: { cluster: name },
      driver: tool,
      catalogue: async () => ({
        name: title,
        versions: [{ version: '1.0.0', repo: 'oci://charts', source: { chart: title } }],
      }),
      version: '1.0.0',
    })
  return serial('cluster', [
    resource({ name: 'machines', id: name, driver, desired: { size } }),
    concurrent('network', [remote.on(app('cni')), remote.on(app('ccm'))]),
    conditional('monitoring', () => monitoring, remote.on(serial('stack', [app('prom'), app('graf')]))),
  ])
}

function start(more: Partial<ControllerOptions> = {}): Controller {
  controller = new Controller({
    name: 'clusters',
    kind: 'Cluster',
    source: objects,
    reconcile: manageObject({ objects, finalizer: 'gantry.dev/cluster', tree, clock }),
    clock,
    random: () => 0,
    ...more,
  })
  controller.start()
  return controller
}

const ready = (name = 'blue') =>
  objects.find(name)?.status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'

describe('one graph from machines to applications', () => {
  it('converges, follows a change of the spec, and leaves nothing', async () => {
    objects.apply('blue')
    start()
    await clock.until(() => ready())
    expect(objects.find('blue')?.metadata.finalizers).toEqual(['gantry.dev/cluster'])
    expect(tool.size).toBe(2)

    objects.apply('blue', { spec: { monitoring: true, size: 3 } satisfies Spec })
    await clock.until(() => ready() && tool.size === 4)
    expect(objects.find('blue')?.status.observedGeneration).toBe(2)

    objects.apply('blue', { spec: {} })
    await clock.until(() => ready() && tool.size === 2)
    expect(clusters.registered.has('blue')).toBe(true)

    objects.delete('blue')
    await clock.until(() => objects.find('blue') === undefined)
    expect([machines.size, tool.size, clusters.registered.size]).toEqual([0, 0, 0])
  })

  it('says at every moment what it waits for', async () => {
    objects.apply('blue')
    start()
    const said = new Set<string>()
    await clock.until(() => {
      const progressing = objects.find('blue')?.status.conditions?.find(({ type }) => type === 'Progressing')
      if (progressing?.status === 'True') said.add(progressing.message)
      return ready()
    })
    expect([...said]).toEqual(['waiting for cni to be synced (cluster/network/remote/cni)'])
  })

  it('acts at once on a delete in the middle of a wait', async () => {
    objects.apply('blue')
    start()
    await clock.advance(2000)
    const at = clock.monotonic()
    objects.delete('blue')
    await clock.until(() => tool.journal.includes('delete cni'))
    expect(clock.monotonic()).toBe(at)
    await clock.until(() => objects.find('blue') === undefined)
    expect([machines.size, tool.size, clusters.registered.size]).toEqual([0, 0, 0])
  })

  it('survives that somebody else writes the object during its passes', async () => {
    objects.apply('blue')
    let writes = 0
    mishap = (method) => {
      if (method === 'read' && writes++ < 3) objects.setStatus('blue', { seen: writes })
      return undefined
    }
    start()
    await clock.until(() => ready())
    expect(writes).toBeGreaterThan(3)
  })
})

describe('a day', () => {
  it('of an engine that is cut off passes in milliseconds, at the pace of the backoff, and ends well', async () => {
    const day = 86_400_000
    let tries = 0
    mishap = () => {
      tries += 1
      return clock.monotonic() < day ? 'fails before' : undefined
    }
    for (let index = 0; index < 20; index++) objects.apply(`cluster-${index}`)
    const things = start({ resyncMs: 3_600_000 })
    await clock.advance(day)
    // 17 quick ones, then one every five minutes, and resyncs in between.
    expect(tries / 20).toBeGreaterThan(250)
    expect(tries / 20).toBeLessThan(400)
    expect(objects.find('cluster-7')?.status.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'Unknown' })
    await clock.until(() => Array.from({ length: 20 }, (_, index) => ready(`cluster-${index}`)).every(Boolean))
    expect(things.metrics().running).toBe(0)
  })

  it('of a wait that nothing ends shows as stuck, is looked at slowly, and recovers', async () => {
    const faults: unknown[] = []
    objects.apply('blue')
    tool = new MemoryApplications({ clock, installMs: 86_400_000 })
    start({ onResult: (_, result) => result.state === 'transient' && faults.push(result.fault.reason) })
    await clock.advance(86_400_000 - 60_000)
    expect(new Set(faults)).toEqual(new Set(['stuck']))
    expect(faults.length).toBeGreaterThan(1000)
    expect(faults.length).toBeLessThan(2000)
    expect(objects.find('blue')?.status.conditions?.find(({ type }) => type === 'Degraded')).toMatchObject({
      status: 'True',
      reason: 'stuck',
    })
    await clock.until(() => ready())
  })
})

describe('a fault that passes by itself', () => {
  it('is not shown any more after the next good pass', async () => {
    let broken = true
    mishap = (method) => (broken && method === 'apply' ? 'fails before' : undefined)
    objects.apply('blue')
    start()
    await clock.advance(1000)
    const degraded = () => objects.find('blue')?.status.conditions?.find(({ type }) => type === 'Degraded')
    expect(degraded()).toMatchObject({ status: 'True', reason: new Fault('engine_unreachable', '').reason })
    broken = false
    await clock.until(() => ready())
    expect(degraded()).toMatchObject({ status: 'False' })
  })
})

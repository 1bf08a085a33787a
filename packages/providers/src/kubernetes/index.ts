/** A Kubernetes cluster, over its own API: workloads, Services and claims that carry our labels, and nothing else. */
import { type Call, type DeclaredCapability, Fault, type FaultReason, isFault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { Engine, RemoveOptions } from '../engine.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import type { Ref } from '../ref.ts'
import { observations } from '../tended/observations.ts'
import type { ContainerAt } from './api/api.ts'
import { removePass } from './apply/remove.ts'
import { checkDesired, planLimits } from './check.ts'
import { clusterFacts } from './cluster-facts.ts'
import { closedWhenQuiet, connectToSet } from './connect.ts'
import { podExec } from './exec.ts'
import { capacityOf } from './figures/capacity.ts'
import { PodFigures } from './figures/pod-figures.ts'
import { usageOf } from './figures/usage.ts'
import { Images } from './images/images.ts'
import { mixedLimit, serviceLogs } from './logs.ts'
import { podOfEngineId } from './observe/observed-of.ts'
import type { PodSeen } from './observe/seen.ts'
import { openCluster } from './open-cluster.ts'
import type { KubernetesOptions } from './options.ts'
import { planSteps } from './plan/steps.ts'
import { joinedObservations } from './sources/joined-observations.ts'
import { setLogs } from './sources/set-logs.ts'
import type { SourceEngine } from './sources/source-engine.ts'
import type { SetContainer } from './sources/source-keeper.ts'
import { shareLimit } from './traffic.ts'

const declares: readonly DeclaredCapability[] = [
  'volumes',
  'strategy:rolling',
  'strategy:blue-green',
  'strategy:canary',
]

/** Where the cluster's API can. */
const streams: readonly DeclaredCapability[] = ['logs:streams']
/** Where some node has it. */
const gpu: readonly DeclaredCapability[] = ['gpu']

export type KubernetesEngine = Engine & {
  /** Lets go of the cluster; what runs goes on running. */
  close(): Promise<void>
}

/** What is said of objects whose namespace is gone; whatever else fails then has failed to make one. */
const ofMissing: ReadonlySet<FaultReason> = new Set([
  'engine_object_conflict',
  'engine_object_not_found',
  'version_conflict',
])

/** Throws `unavailable` where the cluster cannot be reached. */
export async function kubernetesEngine(options: KubernetesOptions, call: Call): Promise<KubernetesEngine> {
  const { api, clock, installation } = options
  const over = new AbortController()
  const { cache, settings, namespaces, services, converging, split, sources } = await openCluster(options, over, call)
  const figures = new PodFigures({ api, clock, installation, life: over })
  const images = new Images({
    api,
    clock,
    seesNodes: () => cache.kinds.nodes.forbidden === undefined,
    ways: { plain: options.insecureRegistries ?? [] },
    ...(options.registryMs === undefined ? {} : { registryMs: options.registryMs }),
  })
  /** Those of which nothing is written down yet: their namespace must not go under their feet. */
  const arriving = new Set<Ref>()
  await namespaces.releaseUnused(isNeeded, call)

  async function isNeeded(tenant: string): Promise<boolean> {
    if ([...arriving].some((ref) => ref.tenant === tenant)) return true
    const claims = [...cache.kinds.claims.items.values()]
    if ([...cache.refs(), ...claims.map(({ ref }) => ref)].some((ref) => ref.tenant === tenant)) return true
    return await sources.hasAny(namespaces.of(tenant), over)
  }

  /** Of one that is described by its services. */
  async function convergeServices(desired: Desired, within: Call): Promise<Pass> {
    const { ref } = desired
    cache.note(desired)
    await cache.reachable(within)
    if (!cache.isHere(ref)) {
      const pass = await sources.remove(ref, within)
      if (pass.state === 'yield') return pass
    }
    return await cache.troubles.during(ref, () =>
      cache.troubles.mending(ref, () => inNamespace(ref, within, () => converging.pass(desired, within))),
    )
  }

  async function convergeSource(source: SourceEngine, desired: Desired, within: Call): Promise<Pass> {
    const { ref } = desired
    await cache.refresh(within)
    const before = cache.isHere(ref) ? await removeServices(ref, { retained: 'keep' }, within) : done
    if (before.state === 'yield') return before
    const others = await sources.remove(ref, within, source)
    if (others.state === 'yield') return others
    arriving.add(ref)
    try {
      return await inNamespace(ref, within, async () => {
        const namespace = await namespaces.ensure(ref.tenant, within)
        return namespace.state === 'yield' ? namespace : await source.converge(desired, within)
      })
    } finally {
      arriving.delete(ref)
    }
  }

  /** In a namespace that somebody takes away anything may be refused, and that is no verdict about it. */
  async function inNamespace({ tenant }: Ref, within: Call, work: () => Promise<Pass>): Promise<Pass> {
    try {
      return await work()
    } catch (error) {
      namespaces.forget(tenant)
      if (!isFault(error) || ['unavailable', 'deadline', 'rate_limited'].includes(error.kind)) throw error
      const state = await namespaces.state(tenant, within)
      if (state !== 'leaving' && !(state === 'gone' && ofMissing.has(error.reason))) throw error
      return waitFor(`namespace ${namespaces.of(tenant)} to be gone`, 500)
    }
  }

  const removeServices = (ref: Ref, how: RemoveOptions, within: Call): Promise<Pass> =>
    removePass({ api, cache, namespaces, services, installation }, ref, how, within)

  function podOf(engineId: string): PodSeen {
    const { uid = '' } = podOfEngineId(engineId) ?? {}
    const pod = cache.kinds.pods.items.get(uid)
    if (!pod) throw new Fault('replica_not_found', `There is no replica ${engineId}; it is gone, or never was`)
    return pod
  }

  function containerOf(engineId: string, service: string): ContainerAt {
    const { namespace, name, services: known } = podOf(engineId)
    if (known.some((each) => each.name === service)) return { namespace, pod: name, container: service }
    throw new Fault('service_not_found', `There is no service ${service} in replica ${engineId}`)
  }

  async function forget(ref: Ref): Promise<void> {
    converging.forget(ref)
    cache.troubles.forget(ref)
    cache.changed(ref)
    if (!(await isNeeded(ref.tenant))) namespaces.release(ref.tenant, () => isNeeded(ref.tenant))
  }

  return {
    type: 'kubernetes',
    declares: new Set([
      ...declares,
      ...sources.declares,
      ...(settings.gpuResources.length > 0 ? gpu : []),
      ...(split ? streams : []),
    ]),

    async info(within) {
      const { gitVersion, platform } = await api.discovery.version(within)
      const { nodes } = cache.kinds
      const blind = nodes.forbidden
        ? ['nodes may not be seen from here: a replica on one that is lost is shown as it was last heard of']
        : []
      const far =
        cache.via === 'tunnel' ? ['addresses of the cluster cannot be dialled from here, only through its API'] : []
      return {
        version: gitVersion.replace(/^v/, ''),
        facts: { ...(await clusterFacts(api, cache, within)), ...(platform === undefined ? {} : { platform }) },
        limits: [...planLimits(settings), shareLimit, ...(split ? [] : [mixedLimit]), ...blind, ...far],
      }
    },

    check: (desired) => [...checkDesired(desired, settings), ...(sources.of(desired)?.check(desired) ?? [])],
    plan(desired, observed) {
      const [first] = observed?.replicas ?? []
      const source = desired ? sources.of(desired) : first && sources.owner(first.engineId)
      return source ? source.plan(desired, observed) : planSteps(desired, observed, settings)
    },

    async converge(desired, within) {
      const source = sources.of(desired)
      return source ? await convergeSource(source, desired, within) : await convergeServices(desired, within)
    },

    async remove(ref, how, within) {
      // First what others wrote: its records carry our labels too, and without them nobody knows what is to go.
      const before = await sources.remove(ref, within)
      if (before.state === 'yield') return before
      const pass = await removeServices(ref, how, within)
      if (pass.state === 'done') await forget(ref)
      return pass
    },

    async look(ref, within) {
      return (await cache.look(ref, within)) ?? (await sources.look(ref, within))
    },
    observe: (within) => {
      const seen = [
        (call: Call) => observations(cache, call),
        ...sources.all.map((each) => (call: Call) => each.observe(call)),
      ]
      return joinedObservations(seen, within)
    },
    logs(engineId, service, from, within) {
      const owner = sources.owner(engineId)
      const parts = { api, cache, clock, split }
      if (!owner) return serviceLogs(parts, engineId, service, from, within)
      return setLogs(parts, (call) => owner.containersOf(engineId, service, call), from, within)
    },
    async exec(engineId, service, request, within) {
      const owner = sources.owner(engineId)
      if (!owner) await cache.refresh(within)
      const at = owner
        ? runningOf(service, await owner.containersOf(engineId, service, within))
        : containerOf(engineId, service)
      return await podExec(api.pods, at, request, within)
    },
    async connect(engineId, service, port, within) {
      const owner = sources.owner(engineId)
      if (owner) {
        const containers = await owner.containersOf(engineId, service, within)
        return closedWhenQuiet(await connectToSet(api, service, containers, port, within), clock)
      }
      await cache.refresh(within)
      const { namespace, pod } = containerOf(engineId, service)
      return closedWhenQuiet(await api.pods.portForward({ namespace, pod }, port, within), clock)
    },
    async usage(ref, within) {
      const pods = cache.pods(ref)
      const [first] = pods
      if (!first) {
        // That nothing runs is an answer, which nobody may give for a cluster that is away.
        await cache.refresh(within)
        return undefined
      }
      await cache.reachable(within)
      return usageOf(pods, await figures.of(first.namespace, pods, within), clock.now())
    },
    async capacity(within) {
      await cache.refresh(within)
      return capacityOf(cache.nodes(), clock)
    },
    resolveImage: (wanted, within) => images.resolve(wanted, within),
    traffic: (workload, weights, within) => services.share(workload, weights, within),

    async close() {
      await namespaces.close()
      over.abort(new Error('the kubernetes engine was closed'))
      await Promise.all([cache.close(), sources.close()])
    },
  }
}

function runningOf(service: string, containers: readonly SetContainer[]): ContainerAt {
  const found = containers.find((each) => each.running && each.role !== 'init')
  if (found) return found
  throw new Fault('service_not_running', `Nothing behind ${service} runs now; look at its status`)
}

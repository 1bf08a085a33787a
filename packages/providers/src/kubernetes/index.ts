/** A Kubernetes cluster, over its own API: workloads, Services and claims that carry our labels, and nothing else. */
import { type Call, type DeclaredCapability, Fault } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { Ref } from '../ref.ts'
import { observations } from '../tended/observations.ts'
import type { ContainerAt } from './api/api.ts'
import { removePass } from './apply/remove.ts'
import { checkDesired, planLimits } from './check.ts'
import { podExec } from './exec.ts'
import { capacityOf } from './figures/capacity.ts'
import { podMetrics, usageOf } from './figures/usage.ts'
import { mixedLimit, serviceLogs } from './logs.ts'
import { podOfEngineId } from './observe/observed-of.ts'
import type { PodSeen } from './observe/seen.ts'
import { openCluster } from './open-cluster.ts'
import type { KubernetesOptions } from './options.ts'
import { planSteps } from './plan/steps.ts'
import { shareLimit } from './traffic.ts'

const declares: readonly DeclaredCapability[] = [
  'volumes',
  'strategy:rolling',
  'strategy:blue-green',
  'strategy:canary',
]

/** Where some node has it. */
const gpu: readonly DeclaredCapability[] = ['gpu']

export type KubernetesEngine = Engine & {
  /** Lets go of the cluster; what runs goes on running. */
  close(): Promise<void>
}

/** Throws `unavailable` where the cluster cannot be reached. */
export async function kubernetesEngine(options: KubernetesOptions, call: Call): Promise<KubernetesEngine> {
  const { api, clock, installation } = options
  const over = new AbortController()
  const { cache, settings, namespaces, services, converging, split } = await openCluster(options, over, call)
  await namespaces.releaseUnused(isNeeded, call)

  async function isNeeded(tenant: string): Promise<boolean> {
    const claims = [...cache.kinds.claims.items.values()]
    return [...cache.refs(), ...claims.map(({ ref }) => ref)].some((ref) => ref.tenant === tenant)
  }

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
    declares: new Set([...declares, ...(settings.gpuResources.length > 0 ? gpu : [])]),

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
        facts: { server: api.server, ...(platform === undefined ? {} : { platform }) },
        limits: [...planLimits(settings), shareLimit, ...(split ? [] : [mixedLimit]), ...blind, ...far],
      }
    },

    check: (desired) => checkDesired(desired, settings),
    plan: (desired, observed) => planSteps(desired, observed, settings),

    async converge(desired, within) {
      const { ref } = desired
      cache.note(desired)
      await cache.refresh(within)
      return await cache.troubles.during(ref, () =>
        cache.troubles.mending(ref, async () => {
          try {
            return await converging.pass(desired, within)
          } catch (error) {
            // Whatever it was, it may have been of a namespace that somebody took away.
            namespaces.forget(ref.tenant)
            throw error
          }
        }),
      )
    },

    async remove(ref, how, within) {
      const pass = await removePass({ api, cache, namespaces, services, installation }, ref, how, within)
      if (pass.state === 'done') await forget(ref)
      return pass
    },

    look: (ref, within) => cache.look(ref, within),
    observe: (within) => observations(cache, within),
    logs: (engineId, service, from, within) =>
      serviceLogs({ api, cache, clock, split }, engineId, service, from, within),
    async exec(engineId, service, request, within) {
      await cache.refresh(within)
      return await podExec(api.pods, containerOf(engineId, service), request, within)
    },
    async usage(ref, within) {
      await cache.refresh(within)
      const pods = cache.pods(ref)
      const [first] = pods
      if (!first) return undefined
      return usageOf(pods, await podMetrics(api, first.namespace, ref, within), clock.now())
    },
    async capacity(within) {
      await cache.refresh(within)
      return capacityOf(cache.nodes(), clock)
    },
    traffic: (workload, weights, within) => services.share(workload, weights, within),

    async close() {
      await namespaces.close()
      over.abort(new Error('the kubernetes engine was closed'))
      await cache.close()
    },
  }
}

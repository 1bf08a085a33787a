/** One pass towards what is desired: what pods need, what makes pods, what is in front of them; then looks whether all of it is so. */
import type { Call } from '@gantry/core'
import { contentHash } from '../../content-hash.ts'
import type { Desired } from '../../desired.ts'
import { done, type Pass, waitFor } from '../../pass.ts'
import { type Ref, refKey, refName } from '../../ref.ts'
import type { KubernetesApi } from '../api/api.ts'
import { apiVersionOf, resources } from '../api/resources.ts'
import type { KubeObject, OwnerReference } from '../api/types/meta.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { annotation } from '../observe/record.ts'
import type { PodSeen, WorkloadSeen } from '../observe/seen.ts'
import { planInstance } from '../plan/instance.ts'
import type { InstancePlan, PlannedObject } from '../plan/planned.ts'
import type { PlanSettings } from '../plan/settings.ts'
import { readTemplateInputs } from '../plan/template-inputs.ts'
import { replicasOf } from '../plan/workload.ts'
import type { Applier, Outcome } from './applier.ts'
import { Leading } from './leading.ts'
import { knownParts, partsOf, removeAll } from './leftovers.ts'
import type { Namespaces } from './namespaces.ts'
import { claimOwnerOf, objectName, ownerOf } from './ownership.ts'
import { pointless, waitsFor } from './progress.ts'
import type { WorkloadServices } from './workload-service.ts'

export type ConvergeParts = {
  readonly api: KubernetesApi
  readonly cache: ClusterCache
  readonly applier: Applier
  readonly namespaces: Namespaces
  readonly services: WorkloadServices
  readonly settings: PlanSettings
}

/** What is waited for is heard of; this is for what is not. */
const lookAgainMs = 1000
/** Nobody tells of this. */
const leadAgainMs = 100

export class Converging {
  readonly #parts: ConvergeParts
  /** By instance: what its objects were when those that it no longer needs were last removed. */
  readonly #tidied = new Map<string, string>()
  readonly #leading: Leading

  constructor(parts: ConvergeParts) {
    this.#parts = parts
    this.#leading = new Leading(parts.cache)
  }

  forget(ref: Ref): void {
    this.#tidied.delete(refKey(ref))
    this.#leading.forget(ref)
    this.#parts.applier.forget(ref)
  }

  async pass(desired: Desired, call: Call): Promise<Pass> {
    const { cache, namespaces, settings, services } = this.#parts
    const { ref } = desired
    const before = cache.predecessor(ref)
    if (before) return waitFor(`${refName(before)} that had this name before to be gone`, lookAgainMs)
    const namespace = await namespaces.ensure(ref.tenant, call)
    if (namespace.state === 'yield') return namespace
    // Something that is not watched may be missing: it is looked for again.
    if (cache.observed(ref)?.stalled) this.#parts.applier.forget(ref)
    const live = this.#live(ref)
    const plan = planInstance(desired, settings, readTemplateInputs(live?.template))
    const replaced = await this.#replace(desired, plan, call)
    if (replaced) return replaced
    const held = await this.#applyAll(desired, plan, live, call)
    if (held) return held
    const shared = await services.ensure(desired, call)
    if (shared.state === 'yield') return shared
    return await this.#finish(desired, plan, call)
  }

  /** The newest, where one takes the place of another. */
  #live(ref: Ref): WorkloadSeen | undefined {
    return this.#parts.cache.workloads(ref).find(({ deleting }) => !deleting)
  }

  /** One of another kind goes with its pods first; one that differs in what cannot be changed leaves them to the next. */
  async #replace(desired: Desired, { workload }: InstancePlan, call: Call): Promise<Pass | undefined> {
    const { api, cache } = this.#parts
    const { ref } = desired
    const fixed = workload.body.metadata.annotations?.[annotation.fixed]
    for (const each of cache.workloads(ref)) {
      const isKind = each.kind === workload.at.resource.kind
      if (isKind && !each.deleting && each.fixed === fixed) continue
      const resource = each.kind === 'Deployment' ? resources.deployment : resources.statefulSet
      const at = { resource, namespace: each.namespace, name: each.name }
      const propagation = isKind ? 'orphan' : 'background'
      const left = await api.objects.delete(at, { uid: each.uid, propagation }, call)
      if (left) cache.fold(resource, left)
      else cache.drop(resource, each.uid)
      return waitFor(`${objectName(at)} to be gone`, 200)
    }
    const isSet = workload.at.resource.kind === 'StatefulSet'
    const others = cache.pods(ref).filter(({ ordinal }) => (ordinal !== undefined) !== isSet)
    return others.length === 0 ? undefined : waitFor(`${others.length} replicas of before to end`, lookAgainMs)
  }

  async #applyAll(
    desired: Desired,
    plan: InstancePlan,
    live: WorkloadSeen | undefined,
    call: Call,
  ): Promise<Pass | undefined> {
    const { applier, cache } = this.#parts
    const { ref, installation } = desired
    const own = (object: KubeObject) => ownerOf(object, installation, ref)
    const heir = (object: KubeObject) => claimOwnerOf(object, installation, ref, (other) => cache.isHere(other))
    const known = live && ownerReference(plan.workload, live.uid)
    const first = await Promise.all([
      ...plan.config.map((each) => applier.apply(ref, each, own, call, known)),
      ...plan.claims.map((each) => applier.apply(ref, each, heir, call)),
    ])
    const held = heldBy(first)
    if (held) return held
    const workload = await applier.apply(ref, this.#emptied(desired, plan.workload), own, call)
    if ('waiting' in workload) return waitFor(workload.waiting, 500)
    const owner = ownerReference(plan.workload, workload.uid)
    const rest = known?.uid === owner.uid ? plan.others : [...plan.others, ...plan.config]
    return heldBy(await Promise.all(rest.map((each) => applier.apply(ref, each, own, call, owner))))
  }

  /** Under recreate none of before runs beside one of now. A Deployment sees to that itself; a StatefulSet is emptied first. */
  #emptied({ ref, update, specHash }: Desired, planned: PlannedObject): PlannedObject {
    const isSet = planned.at.resource.kind === 'StatefulSet'
    const others = this.#parts.cache.pods(ref).some((pod) => pod.specHash !== specHash)
    if (!isSet || update.type !== 'recreate' || !others) return planned
    const { spec } = planned.body as KubeObject & { spec?: object }
    return { ...planned, body: { ...planned.body, spec: { ...spec, replicas: 0 } } as KubeObject }
  }

  async #finish(desired: Desired, plan: InstancePlan, call: Call): Promise<Pass> {
    const { api, applier, cache, settings } = this.#parts
    const { ref } = desired
    const seen = {
      workload: this.#live(ref),
      pods: cache.pods(ref),
      isNodeLost: (node: string) => cache.isNodeLost(node),
      room: (pod: PodSeen) => cache.room(pod),
      now: cache.clock.now(),
    }
    await Promise.all(
      pointless(desired, seen).map(async ({ namespace, name, uid }) => {
        const left = await api.objects.delete({ resource: resources.pod, namespace, name }, { uid }, call)
        if (left) cache.fold(resources.pod, left)
      }),
    )
    const waiting = waitsFor(desired, seen)
    if (waiting !== undefined) return waitFor(waiting, lookAgainMs)
    const unled = replicasOf(desired) > 0 ? await this.#leading.waitsFor(desired, call) : undefined
    if (unled !== undefined) return waitFor(unled, leadAgainMs)
    const objects = [...plan.config, ...plan.others].map(({ at }) => objectName(at))
    const key = contentHash([...objects, desired.specHash])
    if (this.#tidied.get(refKey(ref)) === key) return done
    // A list for each of a thousand instances is a thousand times what all of them have together.
    const there =
      knownParts(cache, ref, plan.namespace) ?? (await partsOf(api, settings.installation, ref, plan.namespace, call))
    const stale = there.filter(({ at }) => !objects.includes(objectName(at)))
    for (const { at } of stale) applier.gone(ref, at)
    const kept = await removeAll(api, stale, ({ at, uid }) => cache.drop(at.resource, uid), call)
    if (kept.length > 0) return waitFor(`${kept.join(', ')} to be gone`, lookAgainMs)
    this.#tidied.set(refKey(ref), key)
    return done
  }
}

function heldBy(outcomes: readonly Outcome[]): Pass | undefined {
  const held = outcomes.find((each) => 'waiting' in each)
  return held && waitFor(held.waiting, 500)
}

const ownerReference = ({ at, body }: PlannedObject, uid: string): OwnerReference => ({
  apiVersion: apiVersionOf(at.resource),
  kind: body.kind,
  name: at.name,
  uid,
})

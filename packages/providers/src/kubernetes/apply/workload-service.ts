/** The Service of a workload as a whole: how neighbours find it, whichever slots are behind it. */
import { type Call, isFault, otherSlot } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { label } from '../../labels.ts'
import { done, type Pass, waitFor } from '../../pass.ts'
import type { Ref, Slot, TrafficWeights, WorkloadRef } from '../../ref.ts'

import type { KubernetesApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { EndpointSlice } from '../api/types/services.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { instanceName, namespaceName, workloadServiceName } from '../names.ts'
import type { ServiceObject } from '../observe/objects.ts'
import type { ServiceSeen } from '../observe/seen.ts'
import { planWorkloadService } from '../plan/service.ts'
import type { PlanSettings } from '../plan/settings.ts'
import { type Applier, fieldManager } from './applier.ts'
import { workloadOwnerOf } from './ownership.ts'

export type WorkloadServiceParts = {
  readonly api: KubernetesApi
  readonly cache: ClusterCache
  readonly applier: Applier
  readonly settings: PlanSettings
}

const bothSlots: readonly Slot[] = ['a', 'b']

/** Pure: those that a Service lets in. */
export function slotsOf({ selector }: Pick<ServiceSeen, 'selector'>): readonly Slot[] {
  const slot = selector[label.slot]
  return slot === 'a' || slot === 'b' ? [slot] : bothSlots
}

/** Pure: those that get anything. */
export const slotsWith = (weights: TrafficWeights): readonly Slot[] => bothSlots.filter((slot) => weights[slot] > 0)

export class WorkloadServices {
  readonly #parts: WorkloadServiceParts

  constructor(parts: WorkloadServiceParts) {
    this.#parts = parts
  }

  /** `undefined`: there is none. */
  of({ uid }: Pick<Ref, 'uid'>): ServiceSeen | undefined {
    return this.#parts.cache.kinds.services.items.of(uid).find(({ deleting }) => !deleting)
  }

  /** As this slot has it, unless it is all the other's: then it stays until traffic comes. */
  async ensure(desired: Desired, call: Call): Promise<Pass> {
    const { ref, installation } = desired
    const { applier, settings } = this.#parts
    const there = this.of(ref)
    const slots = there ? slotsOf(there) : [ref.slot]
    if (!slots.includes(ref.slot)) return done
    const planned = planWorkloadService(desired, settings, slots)
    if (!planned) {
      if (there) await this.#remove(there, call)
      return done
    }
    const outcome = await applier.apply(ref, planned, (object) => workloadOwnerOf(object, installation, ref), call)
    return 'waiting' in outcome ? waitFor(outcome.waiting, 500) : done
  }

  async share(workload: WorkloadRef, weights: TrafficWeights, call: Call): Promise<Pass> {
    const { cache } = this.#parts
    await cache.refresh(call)
    const slots = slotsWith(weights)
    const missing = slots.find((slot) => !cache.isHere({ ...workload, slot }))
    if (missing) return waitFor(`slot ${missing} of ${workload.tenant}/${workload.workload}`, 500)
    const source = slots.at(-1)
    const there = this.of(workload)
    if (source === undefined) return done
    const own = await this.#instanceService({ ...workload, slot: source }, call)
    // It has no port: there is nothing to share.
    if (!own) return done
    if (there && isSame(slotsOf(there), slots) && hasPorts(there, own)) return done
    const newcomers = there ? slots.filter((slot) => !slotsOf(there).includes(slot)) : []
    for (const slot of newcomers) {
      const isKnown = await this.#isKnown({ ...workload, slot }, call)
      if (!isKnown) return waitFor(`the cluster to know that replicas of slot ${slot} are ready`, 200)
    }
    await this.#write(workload, own, there, slots, call)
    return done
  }

  /** When a slot goes: the other has all, or nobody is left. */
  async leave(ref: Ref, call: Call): Promise<void> {
    const there = this.of(ref)
    if (!there) return
    const other: Ref = { ...ref, slot: otherSlot(ref.slot) }
    if (!this.#parts.cache.isHere(other)) return await this.#remove(there, call)
    if (isSame(slotsOf(there), [other.slot])) return
    const own = await this.#instanceService(other, call)
    if (own) await this.#write(ref, own, there, [other.slot], call)
    else await this.#remove(there, call)
  }

  async #instanceService(ref: Ref, call: Call): Promise<ServiceObject | undefined> {
    const { api, settings } = this.#parts
    const namespace = namespaceName(settings.namespaces, ref.tenant)
    const name = instanceName(settings.installation, ref)
    return await api.objects.get<ServiceObject>({ resource: resources.service, namespace, name }, call)
  }

  /**
   * Whether the one who leads requests to replicas knows all of a slot that are ready: were they let in before, requests would find
   * nobody for a moment. It has heard of them for one Service when it has for another.
   */
  async #isKnown(ref: Ref, call: Call): Promise<boolean> {
    const { api, cache, settings } = this.#parts
    const namespace = namespaceName(settings.namespaces, ref.tenant)
    const which = { labelSelector: `kubernetes.io/service-name=${instanceName(settings.installation, ref)}` }
    const of = { resource: resources.endpointSlice, namespace }
    const ready = cache.pods(ref).filter((pod) => pod.ready && !pod.deleting).length
    const slices = await api.objects.list<EndpointSlice>(of, which, call).catch((error: unknown) => {
      // Who may not look shares out without having looked.
      if (isFault(error) && error.reason === 'engine_forbidden') return undefined
      throw error
    })
    if (!slices) return true
    const known = slices.items.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready)
    return new Set(known.map(({ targetRef }) => targetRef?.uid)).size >= ready
  }

  async #write(
    workload: WorkloadRef,
    own: ServiceObject,
    there: ServiceSeen | undefined,
    slots: readonly Slot[],
    call: Call,
  ): Promise<void> {
    const { api, cache, settings } = this.#parts
    const { [label.slot]: _, ...selector } = own.spec?.selector ?? {}
    const {
      [label.slot]: _slot,
      [label.release]: _release,
      [label.specHash]: _hash,
      ...labels
    } = own.metadata.labels ?? {}
    const namespace = namespaceName(settings.namespaces, workload.tenant)
    const at = { resource: resources.service, namespace, name: workloadServiceName(settings.namespaces, workload) }
    const body = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: at.name, namespace, labels },
      spec: {
        type: there?.type ?? 'ClusterIP',
        selector: slots.length === 1 ? { ...selector, [label.slot]: slots[0] } : selector,
        ports: (own.spec?.ports ?? []).map(({ nodePort: __, ...port }) => port),
      },
    }
    cache.fold(at.resource, await api.objects.apply(at, body, { fieldManager, force: true }, call))
  }

  async #remove({ uid, namespace, name }: ServiceSeen, call: Call): Promise<void> {
    const at = { resource: resources.service, namespace, name }
    await this.#parts.api.objects.delete(at, { uid }, call)
    this.#parts.cache.drop(at.resource, uid)
  }
}

const isSame = (left: readonly Slot[], right: readonly Slot[]): boolean => left.join() === right.join()

const hasPorts = ({ ports }: ServiceSeen, { spec }: ServiceObject): boolean =>
  JSON.stringify(ports.map(({ port, protocol }) => [port, protocol])) ===
  JSON.stringify((spec?.ports ?? []).map(({ port, protocol = 'TCP' }) => [port, protocol]))

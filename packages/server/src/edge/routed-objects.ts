/**
 * Pure: as much of an object as it is routed by. All of them are kept in memory, and most of what an object says is about
 * something else. Whole objects fit too.
 */
import type { Condition, EndpointStatus, GantryObject, Metadata, ObjectOf } from '@gantry/core'
import type { Slot } from '@gantry/providers'

type Named = Pick<Metadata, 'name' | 'tenant' | 'uid' | 'deletionRequestedAt'>

export type RoutedService = Pick<ObjectOf<'Workload'>['spec']['services'][number], 'name' | 'role'> & {
  readonly ports: readonly Pick<
    ObjectOf<'Workload'>['spec']['services'][number]['ports'][number],
    'name' | 'protocol'
  >[]
}

export type RoutedWorkload = {
  readonly metadata: Named
  readonly spec: Pick<ObjectOf<'Workload'>['spec'], 'run' | 'replicas'> & {
    readonly services: readonly RoutedService[]
    /** Only that there is one. */
    readonly source?: object | undefined
  }
  readonly status: { readonly stable?: Slot | undefined; readonly conditions?: readonly Condition[] | undefined }
}

export type RoutedRollout = {
  readonly metadata: Pick<Metadata, 'name' | 'tenant' | 'ownerRefs'>
  readonly spec: Pick<ObjectOf<'Rollout'>['spec'], 'number'>
  readonly status: Pick<ObjectOf<'Rollout'>['status'], 'weights'>
}

type SpecOfSlot = Pick<
  ObjectOf<'Instance'>['spec'],
  'workload' | 'uid' | 'slot' | 'provider' | 'run' | 'replicas' | 'update'
>

export type RoutedSlot = {
  readonly metadata: Pick<Metadata, 'tenant' | 'deletionRequestedAt'>
  readonly spec: SpecOfSlot
  readonly status: {
    readonly replicas?: readonly ReplicaOfSlot[] | undefined
    readonly endpoints?: readonly EndpointStatus[] | undefined
  }
}

export type ReplicaOfSlot = {
  readonly engineId: string
  readonly ready?: boolean | undefined
  readonly terminating: boolean
  readonly endpoints: readonly EndpointStatus[]
}

/** What is kept of each kind. A Route is written about, so that all of it is needed. */
export type RoutedKinds = {
  readonly Workload: RoutedWorkload
  readonly Rollout: RoutedRollout
  readonly Instance: RoutedSlot
  readonly Route: ObjectOf<'Route'>
}

export const routed: { readonly [Kind in keyof RoutedKinds]: (object: GantryObject) => RoutedKinds[Kind] } = {
  Workload: (object) => routedWorkload(object as unknown as ObjectOf<'Workload'>),
  Rollout: (object) => routedRollout(object as unknown as ObjectOf<'Rollout'>),
  Instance: (object) => routedSlot(object as unknown as ObjectOf<'Instance'>),
  Route: (object) => object as unknown as ObjectOf<'Route'>,
}

/** What it says of all its source is that there is one. */
const some = {}

function routedWorkload({ metadata, spec, status }: ObjectOf<'Workload'>): RoutedWorkload {
  const services = spec.services.map(({ name, role, ports }): RoutedService => {
    return { name, role, ports: ports.map((port) => ({ name: port.name, protocol: port.protocol })) }
  })
  return {
    metadata: named(metadata),
    spec: { run: spec.run, replicas: spec.replicas, services, ...(spec.source && { source: some }) },
    status: { stable: status.stable, conditions: status.conditions?.filter(({ type }) => type === 'Ready') },
  }
}

function routedRollout({ metadata, spec, status }: ObjectOf<'Rollout'>): RoutedRollout {
  const { name, tenant, ownerRefs } = metadata
  return {
    metadata: { name, ...(tenant !== undefined && { tenant }), ownerRefs },
    spec: { number: spec.number },
    status: { weights: status.weights },
  }
}

function routedSlot({ metadata, spec, status }: ObjectOf<'Instance'>): RoutedSlot {
  const { workload, uid, slot, provider, run, replicas, update } = spec
  return {
    metadata: named(metadata),
    spec: { workload, uid, slot, provider, run, replicas, update },
    status: {
      replicas: status.replicas?.map(({ engineId, ready, terminating, endpoints }) => {
        return { engineId, ready, terminating, endpoints }
      }),
      endpoints: status.endpoints,
    },
  }
}

function named({ name, tenant, uid, deletionRequestedAt }: Metadata): Named {
  return {
    name,
    uid,
    ...(tenant !== undefined && { tenant }),
    ...(deletionRequestedAt !== undefined && { deletionRequestedAt }),
  }
}

/** Objects as the store has them, for rows over pure functions. */
import {
  completeWorkload,
  type GantryObject,
  type InstanceSlot,
  type InstanceSpec,
  type KindName,
  type ObjectOf,
  type ReleaseSpec,
  type RolloutSpec,
  type SpecOf,
  type StatusOf,
  type WorkloadInput,
  workloadFields,
} from '@gantry/core'
import { inPlaceUpdate } from '@gantry/providers'

export const epoch = Date.UTC(2026, 0, 1)

type More<Kind extends KindName> = {
  readonly metadata?: Partial<GantryObject['metadata']>
  readonly status?: StatusOf<Kind>
}

function object<Kind extends KindName>(kind: Kind, name: string, spec: SpecOf<Kind>, more: More<Kind>): ObjectOf<Kind> {
  const metadata = {
    name,
    tenant: 'shop',
    uid: `uid-of-${name}`,
    labels: {},
    annotations: {},
    generation: 1,
    resourceVersion: 1,
    ownerRefs: [],
    finalizers: [],
    createdAt: new Date(epoch).toISOString(),
    ...more.metadata,
  }
  return { apiVersion: 'gantry/v1', kind, metadata, spec, status: more.status ?? {} } as unknown as ObjectOf<Kind>
}

const services: WorkloadInput['services'] = [{ name: 'web', image: 'app:1' }]

export function workload(spec: Partial<WorkloadInput> = {}, more: More<'Workload'> = {}): ObjectOf<'Workload'> {
  return object('Workload', 'web', completeWorkload(workloadFields.parse({ services, ...spec })), more)
}

export function release(number: number, hash: string, spec: Partial<ReleaseSpec> = {}): ObjectOf<'Release'> {
  const made = { workload: 'web', number, hash, services: workload().spec.services, secretVersions: {}, images: {} }
  return object('Release', `web-v${number}`, { ...made, ...spec }, {})
}

export function rollout(
  spec: Partial<RolloutSpec>,
  status: StatusOf<'Rollout'> = {},
  more: Omit<More<'Rollout'>, 'status'> = {},
): ObjectOf<'Rollout'> {
  const { strategy, type } = workload().spec
  const asked = { workload: 'web', number: 1, release: 1, provider: 'here', type, trigger: 'deploy' as const, strategy }
  const whole = { ...asked, paused: false, promote: 0, resume: 0, ...spec }
  return object('Rollout', `web-r${whole.number}`, whole, { ...more, status })
}

export function instance(
  slot: InstanceSlot,
  status: StatusOf<'Instance'> = {},
  spec: Partial<InstanceSpec> = {},
  more: Omit<More<'Instance'>, 'status'> = {},
): ObjectOf<'Instance'> {
  const { spec: asked, metadata } = workload()
  const { replicas, run, type, restart, stopGraceSeconds, expose, engine, strategy } = asked
  const whole: InstanceSpec = {
    workload: 'web',
    uid: metadata.uid,
    slot,
    provider: 'here',
    release: 1,
    replicas,
    run,
    paused: false,
    type,
    restart,
    update: inPlaceUpdate(strategy, type),
    stopGraceSeconds,
    expose,
    engine,
    labels: {},
    ...spec,
  }
  return object('Instance', `web-${slot}`, whole, { ...more, status: { observedGeneration: 1, ...status } })
}

export function provider(name: string, tenants: readonly string[] = ['*']): ObjectOf<'Provider'> {
  return object('Provider', name, { type: 'simulated', tenants: [...tenants], location: {} }, {})
}

/** Pure: what was seen of an instance, as its status keeps it. When it was looked is not kept: that lives in memory. */
import {
  aggregate,
  type EndpointStatus,
  type InstanceObjectStatus,
  type InstanceState,
  type ReplicaStatus,
  type ServiceOutlook,
  worstState,
} from '@gantry/core'
import {
  type Endpoint,
  type Observed,
  type Replica,
  type ServiceObserved,
  type Stall,
  stateOfPhase,
} from '@gantry/providers'

export type Wanted = { readonly run: 'running' | 'stopped'; readonly replicas: number }

type Seen = Pick<
  InstanceObjectStatus,
  'state' | 'replicas' | 'readyReplicas' | 'endpoints' | 'stalled' | 'drift' | 'notEnforced'
>

/** `undefined` means looked and absent. */
export function seenOf(observed: Observed | undefined, wanted: Wanted): Seen {
  const replicas = observed?.replicas ?? []
  return {
    state: stateOf(observed, wanted),
    replicas: replicas.map(replicaOf).toSorted(inOrder),
    readyReplicas: replicas.filter(({ ready, terminating }) => ready === true && !terminating).length,
    endpoints: (observed?.endpoints ?? []).map(endpointOf),
    ...(observed?.stalled && { stalled: stallOf(observed.stalled) }),
    drift: [...(observed?.drift ?? [])],
    notEnforced: [...(observed?.notEnforced ?? [])],
  }
}

/** The same replicas are the same text, however the engine lists them. */
function inOrder(left: ReplicaStatus, right: ReplicaStatus): number {
  return left.index - right.index || (left.engineId < right.engineId ? -1 : 1)
}

function stateOf(observed: Observed | undefined, { run, replicas }: Wanted): InstanceState {
  const wanted = run === 'stopped' ? 0 : replicas
  const staying = observed?.replicas.filter(({ terminating }) => !terminating) ?? []
  if (observed?.stalled) return 'failed'
  if (staying.length === 0 && (observed?.replicas.length ?? 0) > 0) return wanted > 0 ? 'starting' : 'stopping'
  if (staying.length === 0) return wanted > 0 ? 'provisioning' : 'stopped'
  const whole = aggregate(staying.flatMap(({ services }) => Object.values(services).map(outlook)))
  const missing: InstanceState[] = staying.length < wanted ? ['starting'] : []
  return worstState([...(whole ? [whole.state] : []), ...missing]) ?? 'starting'
}

const outlook = ({ role, phase, ready }: ServiceObserved): ServiceOutlook => ({
  role,
  state: stateOfPhase[phase],
  ready,
})

function replicaOf({ engineId, index, release, specHash, ready, terminating, services, endpoints }: Replica) {
  return {
    engineId,
    index,
    release,
    specHash,
    ...(ready !== undefined && { ready }),
    terminating,
    services: Object.fromEntries(Object.entries(services).map(([name, seen]) => [name, serviceOf(seen)])),
    endpoints: endpoints.map(endpointOf),
  } satisfies ReplicaStatus
}

function serviceOf(seen: ServiceObserved): ReplicaStatus['services'][string] {
  const { role, phase, ready, restarts, startedAt, exitCode, message, engineId } = seen
  return {
    role,
    phase,
    ...(ready !== undefined && { ready }),
    restarts,
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(exitCode !== undefined && { exitCode }),
    ...(message !== undefined && { message }),
    ...(engineId !== undefined && { engineId }),
  }
}

function endpointOf({ dial, ...endpoint }: Endpoint): EndpointStatus {
  return { ...endpoint, dial: { ...dial } }
}

function stallOf({ reason, message, at, service, replica }: Stall): NonNullable<InstanceObjectStatus['stalled']> {
  return {
    reason,
    message,
    at: at.toISOString(),
    ...(service !== undefined && { service }),
    ...(replica !== undefined && { replica }),
  }
}

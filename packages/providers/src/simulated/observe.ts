/** From the simulated world to what is observed of it. */
import { type Call, Fault } from '@gantry/core'
import { channel, failOnAbort } from '../channel.ts'
import type { Endpoint, Observation, Observed, Replica, ServiceObserved } from '../observed.ts'
import { unenforced } from './check.ts'
import type { SimInstance, SimProcess, SimReplica } from './objects.ts'
import type { SimulatedWorld } from './world.ts'

/** Pure. */
export function observedOf(instance: SimInstance, now: number): Observed {
  const { ref, replicas, stalled, desired } = instance
  return {
    ref,
    replicas: [...replicas.values()].map(replicaOf),
    endpoints: desired ? stableEndpoints(instance) : [],
    ...(stalled ? { stalled } : {}),
    drift: [],
    notEnforced: desired ? unenforced(desired) : [],
    at: new Date(now),
  }
}

function replicaOf(replica: SimReplica): Replica {
  const { id, index, desired, terminating, failed, services, readySince } = replica
  return {
    engineId: id,
    index,
    release: desired.release,
    specHash: desired.specHash,
    ready: readySince !== undefined,
    ...(readySince === undefined ? {} : { readySince: new Date(readySince) }),
    terminating,
    ...(failed === undefined ? {} : { failed }),
    services: Object.fromEntries([...services].map(([name, process]) => [name, serviceOf(process)])),
    endpoints: endpointsOf(replica),
  }
}

function serviceOf({ id, spec, phase, ready, restarts, startedAt, exitCode, message }: SimProcess): ServiceObserved {
  return {
    role: spec.role,
    phase,
    ready: spec.role === 'init' ? phase === 'completed' : ready,
    restarts,
    engineId: id,
    ...(startedAt === undefined ? {} : { startedAt: new Date(startedAt) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(message === undefined ? {} : { message }),
  }
}

/** Hosts below `.simulated` are nowhere but in this world: nothing here can be mistaken for a real address. */
function endpointsOf({ id, desired }: SimReplica): Endpoint[] {
  return desired.services.flatMap(({ name, ports }) =>
    ports.map(({ name: port, port: number, protocol, hostPort, bind }) => ({
      service: name,
      port,
      protocol,
      stable: false,
      public: hostPort > 0,
      via: 'direct' as const,
      dial: hostPort > 0 ? { host: `${bind}.simulated`, port: hostPort } : { host: `${id}.simulated`, port: number },
    })),
  )
}

function stableEndpoints({ name: host, desired }: SimInstance): Endpoint[] {
  return (desired?.services ?? []).flatMap(({ name, ports }) =>
    ports.map(({ name: port, port: number, protocol }) => ({
      service: name,
      port,
      protocol,
      stable: true,
      public: desired?.expose === 'node',
      via: 'direct' as const,
      dial: { host: `${host}.simulated`, port: number },
    })),
  )
}

/** Subscribes, then lists. Being lost is said once; being found again is a new snapshot. */
export async function* observations(
  world: SimulatedWorld,
  installation: string,
  call: Call,
): AsyncIterable<Observation> {
  call.signal.throwIfAborted()
  const out = channel<Observation>()
  const snapshot = (): void => {
    const own = [...world.instances.values()].filter((instance) => instance.installation === installation)
    const now = world.clock.now()
    out.push({ type: 'snapshot', instances: own.map((each) => observedOf(each, now)), at: new Date(now) })
  }
  const blind = (): void => {
    const fault = new Fault('engine_unreachable', 'The simulated engine cannot be reached')
    out.push({ type: 'blind', fault, at: new Date(world.clock.now()) })
  }
  const leave = world.listen((event) => {
    if (event.type === 'lost') blind()
    else if (event.type === 'found') snapshot()
    else if (!world.reachable || event.instance.installation !== installation) return
    else if (event.type === 'gone') out.push({ type: 'gone', ref: event.instance.ref, at: new Date(world.clock.now()) })
    else out.push({ type: 'changed', instance: observedOf(event.instance, world.clock.now()) })
  })
  const forget = failOnAbort(out, call.signal)
  try {
    if (world.reachable) snapshot()
    else blind()
    yield* out
  } finally {
    leave()
    forget()
  }
}

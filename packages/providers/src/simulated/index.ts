/** A small engine in memory with the same promises as a real one. Time is the clock's: virtual in tests, real in benchmarks. */
import { type Call, type DeclaredCapability, Fault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { Engine, ReplicaHands } from '../engine.ts'
import { labelsOf } from '../labels.ts'
import { type Leaving, leaveAtOnce } from '../leaving.ts'
import type { Observed } from '../observed.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { type Ref, refName } from '../ref.ts'
import { replicaSet } from '../replica-set/replica-set.ts'
import { replicaSteps } from '../replica-set/steps.ts'
import { checkDesired } from './check.ts'
import { execute } from './exec.ts'
import { pinImage } from './images.ts'
import { opening, readLogs } from './logs.ts'
import type { SimInstance, SimProcess, SimReplica } from './objects.ts'
import { observations, observedOf } from './observe.ts'
import { usageOf } from './usage.ts'
import { instanceName, type SimulatedWorld } from './world.ts'

const declares: ReadonlySet<DeclaredCapability> = new Set([
  'volumes',
  'gpu',
  'strategy:rolling',
  'strategy:blue-green',
  'strategy:canary',
  'exec:kill',
  'logs:streams',
])

/** Several engines may look at one world, as several servers look at one daemon. */
export function simulatedEngine(world: SimulatedWorld, installation: string, leaving: Leaving = leaveAtOnce): Engine {
  const { clock } = world
  const unreachable = (): Fault => new Fault('engine_unreachable', 'The simulated engine cannot be reached')

  /** A turn of the event loop, as any engine takes; then it answers, or is not there. */
  async function connect({ signal }: Call): Promise<void> {
    signal.throwIfAborted()
    if (!world.reachable) throw unreachable()
  }

  /** Ours, or `undefined`; a foreigner under the same name is as good as absent to whoever looks or removes. */
  function own(ref: Ref): SimInstance | undefined {
    const found = world.instances.get(instanceName(ref))
    return found?.installation === installation ? found : undefined
  }

  function claim(desired: Desired): SimInstance {
    const taken = world.instances.get(instanceName(desired.ref))
    if (taken && taken.installation !== installation) {
      const message = `${taken.name} is taken by ${taken.id} of installation ${taken.installation}; it is left alone`
      throw new Fault('foreign_object', `${refName(desired.ref)} cannot be made: ${message}`)
    }
    const instance = taken ?? world.createInstance(desired.ref, installation)
    const labels = labelsOf(desired)
    // What held up the last release says nothing about this one.
    const before = instance.desired
    if (before?.specHash !== desired.specHash) instance.stalled = undefined
    // The same release has the same services, so a pass that changes nothing takes no more memory either.
    const services = before?.specHash === desired.specHash ? before.services : desired.services
    Object.assign(instance, { labels, desired: { ...desired, services } })
    return instance
  }

  function find(engineId: string, service: string): { replica: SimReplica; process: SimProcess } {
    const replica = world.replicas.get(engineId)
    if (!replica) throw new Fault('replica_not_found', `There is no replica ${engineId}; it is gone, or never was`)
    const process = replica.services.get(service)
    if (!process) throw new Fault('service_not_found', `There is no service ${service} in ${engineId}`)
    return { replica, process }
  }

  const replicas: ReplicaHands = {
    async create(desired, index, call) {
      await connect(call)
      const instance = claim(desired)
      const there = [...instance.replicas.values()].find((each) => each.index === index && !each.terminating)
      if (there && there.desired.specHash !== desired.specHash) {
        return waitFor(`replica ${index} of another release to be removed`, 100)
      }
      if (!there && world.isTaken(desired, index)) {
        return waitFor(`an earlier ${refName(desired.ref)} to let go of the volumes of replica ${index}`, 100)
      }
      if (!there) world.createReplica(instance, desired, index)
      return done
    },
    async stop(engineId, graceMs, call) {
      await connect(call)
      const replica = world.replicas.get(engineId)
      if (!replica) return done
      world.endReplica(replica, graceMs)
      return replica.ended ? done : waitFor(`replica ${replica.index} to end`, Math.max(graceMs, 50))
    },
    async remove(engineId, call) {
      const pass = await replicas.stop(engineId, 0, call)
      const replica = world.replicas.get(engineId)
      if (pass.state === 'done' && replica) world.forgetReplica(replica)
      return pass
    },
  }

  async function look(ref: Ref, call: Call): Promise<Observed | undefined> {
    await connect(call)
    const instance = own(ref)
    return instance && observedOf(instance, clock.now())
  }

  const set = replicaSet({ hands: replicas, look, leaving, clock })

  return {
    type: 'simulated',
    declares,
    replicas,

    async info(call) {
      await connect(call)
      return { version: '1.0.0', limits: ['Nothing runs for real: this engine is a simulation'] }
    },

    check: checkDesired,
    plan: replicaSteps,
    look,

    async converge(desired, call): Promise<Pass> {
      await connect(call)
      const instance = claim(desired)
      if (desired.run === 'stopped') instance.stalled = undefined
      return await set.converge(desired, call)
    },

    async remove(ref, options, call): Promise<Pass> {
      await connect(call)
      const instance = own(ref)
      const pass = await set.drain(ref, (instance?.desired?.stopGraceSeconds ?? 0) * 1000, call)
      if (pass.state === 'yield') return pass
      if (instance) world.forgetInstance(instance)
      world.forgetVolumes({ installation, ref }, options)
      return done
    },

    observe: (call) => observations(world, installation, call),

    logs: (engineId, service, from, call) => ({
      [Symbol.asyncIterator]: () =>
        opening(async () => {
          await connect(call)
          return readLogs(world, find(engineId, service).process, from, call.signal, unreachable)
        }),
    }),

    async exec(engineId, service, request, call) {
      await connect(call)
      const { replica, process } = find(engineId, service)
      if (process.startedAt === undefined || (process.phase !== 'running' && process.phase !== 'starting')) {
        throw new Fault('service_not_running', `${service} of replica ${replica.index} does not run now`)
      }
      return await execute(world, replica, process, request, call)
    },

    async resolveImage({ image, credentials }, call) {
      await connect(call)
      return pinImage(world, image, credentials)
    },

    async usage(ref, call) {
      await connect(call)
      const instance = own(ref)
      return instance && usageOf(instance, clock.now())
    },
  }
}

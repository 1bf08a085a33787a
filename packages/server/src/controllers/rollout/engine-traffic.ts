/**
 * What engines are asked to do with requests that no edge stands before: where a workload has an address of its own there, it
 * must follow the weights of a rollout as the edge does, before the slot that gets nothing more is taken away.
 */
import { asFault, type Call, type Fault, isFault, type ObjectOf, slots } from '@gantry/core'
import type { Engine, TrafficWeights, WorkloadRef } from '@gantry/providers'
import type { EngineHub } from '../../engines/engine-hub.ts'
import type { TrafficFacts } from '../../rollout/facts.ts'

type Told = Pick<TrafficFacts, 'engine'>
type Instance = Pick<ObjectOf<'Instance'>, 'metadata' | 'spec'>

export interface EngineTraffic {
  /** One pass; nothing where no engine has to be asked. */
  follow(rollout: ObjectOf<'Rollout'>, around: Around, call: Call): Promise<Told>
  /** Of a workload whose rollout is over. */
  forget(uid: string): void
}

type Around = { readonly workload: ObjectOf<'Workload'>; readonly instances: readonly Instance[] }

export function engineTraffic(hub: Pick<EngineHub, 'engine'>): EngineTraffic {
  /** By workload: what was seen to be done last. An engine keeps to it until it is told something else. */
  const done = new Map<string, string>()
  return {
    forget: (uid) => done.delete(uid),
    async follow(rollout, { workload, instances }, call) {
      const { weights } = rollout.status
      // What others wrote has no address that is ours to share out.
      if (!weights || workload.spec.source) return {}
      const { tenant = '', name, uid } = workload.metadata
      const ref = { tenant, workload: name, uid }
      const asked = textOf(weights, instances)
      if (done.get(uid) === asked) return { engine: { acknowledged: true } }
      let isAsked = false
      for (const provider of providersOf(weights, instances)) {
        const told = await passOn(provider, ref, weights, call)
        if (told === undefined) continue
        isAsked = true
        if (!told.acknowledged) return { engine: told }
      }
      if (isAsked) done.set(uid, asked)
      return isAsked ? { engine: { acknowledged: true } } : {}
    },
  }

  async function passOn(
    provider: string,
    workload: WorkloadRef,
    weights: TrafficWeights,
    call: Call,
  ): Promise<TrafficFacts['engine']> {
    try {
      const engine: Engine = hub.engine(provider)
      if (!engine.traffic) return undefined
      const pass = await engine.traffic(workload, weights, call)
      return pass.state === 'done' ? { acknowledged: true } : { acknowledged: false, why: pass.reason }
    } catch (error) {
      call.signal.throwIfAborted()
      const fault: Fault = asFault(error)
      // What is not ours to mend is waited for, and told: nothing is taken away meanwhile.
      if (isFault(error)) return { acknowledged: false, why: `it is refused: ${fault.message}` }
      throw error
    }
  }
}

/** Those that have every slot that is to get something: between two engines there is nothing that one of them could share. */
function providersOf(weights: TrafficWeights, instances: readonly Instance[]): string[] {
  const wanted = slots.filter((slot) => weights[slot] > 0)
  const providers = [...new Set(instances.map(({ spec }) => spec.provider))]
  return providers.filter((provider) =>
    wanted.every((slot) => instances.some(({ spec }) => spec.slot === slot && spec.provider === provider)),
  )
}

const textOf = ({ a, b }: TrafficWeights, instances: readonly Instance[]): string =>
  [`${a}/${b}`, ...instances.map(({ metadata }) => metadata.uid).toSorted()].join(' ')

/** An edge that does as rollouts say, a moment later; or not at all, when told so. */
import type { InstanceSlot, ObjectOf } from '@gantry/core'
import type { VirtualClock } from '@gantry/core/testing'
import type { Figures } from '../../rollout/facts.ts'
import type { TrafficView } from '../../rollout/traffic.ts'
import type { Weights } from '../../rollout/weights.ts'

type Listener = Parameters<TrafficView['subscribe']>[0]

export class ScriptedEdge implements TrafficView {
  /** What was asked for, each once, as `a/b`. */
  readonly routed: string[] = []
  figures: Readonly<Record<InstanceSlot, Figures>> | undefined
  isAway = false
  readonly #clock: VirtualClock
  readonly #done = new Map<string, string>()
  readonly #asked = new Map<string, string>()
  readonly #listeners = new Set<Listener>()

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  look({ spec, status }: ObjectOf<'Rollout'>): ReturnType<TrafficView['look']> {
    const acknowledged = status.weights !== undefined && this.#done.get(spec.workload) === textOf(status.weights)
    return { acknowledged, ...(this.figures && { figures: this.figures }) }
  }

  /** As the real one follows the store. */
  see({ metadata: { tenant = '', name }, spec, status }: ObjectOf<'Rollout'>): void {
    const text = status.weights && textOf(status.weights)
    if (text === undefined || this.isAway || this.#asked.get(spec.workload) === text) return
    this.#asked.set(spec.workload, text)
    this.routed.push(text)
    this.#clock.after(20, () => {
      this.#done.set(spec.workload, text)
      this.tell({ tenant, name })
    })
  }

  tell(rollout: { readonly tenant: string; readonly name: string }): void {
    for (const listener of this.#listeners) listener(rollout)
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

const textOf = ({ a, b }: Weights): string => `${a}/${b}`

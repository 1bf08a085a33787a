/** What rollouts know of the edge. Whoever runs one implements this. */
import type { ObjectOf } from '@gantry/core'
import type { TrafficFacts } from './facts.ts'

export interface TrafficView {
  /**
   * Whether the edge does by now what the weights of this rollout say, as of the version that is handed in, and what it
   * has counted for each slot since the step of this rollout began. From memory: it never waits.
   */
  look(rollout: ObjectOf<'Rollout'>): TrafficFacts

  /** Calls back when there is something new to see for a rollout. A listener must not throw. Returns what ends it. */
  subscribe(listener: (rollout: { readonly tenant: string; readonly name: string }) => void): () => void
}

/** Where nobody routes requests, nobody has to be asked. */
export const noEdge: TrafficView = {
  look: () => ({ acknowledged: true }),
  subscribe: () => () => undefined,
}

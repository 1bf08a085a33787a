/** An idempotent step of convergence. Steps make trees; a tree is walked from the top on every pass. */
import type { Call } from '@gantry/core'
import type { Result } from '../results/result.ts'
import type { ClusterScope } from './cluster-scope.ts'

/** What every step of one pass is given. */
export type Pass = Call & {
  readonly fence: bigint
  /** The generation that is being made true. */
  readonly generation: number
  /** Where the step acts; undefined: where we are ourselves. */
  readonly cluster: ClusterScope | undefined
  /** What steps of the same pass share, each under a key object of its own. */
  readonly memo: Map<object, unknown>
}

/**
 * Both verbs may be called again at any time, also after a crash in the middle, and come a step nearer each time. A step
 * that has to wait yields; it does not block. Paths of results are relative: a step calls itself ''.
 */
export interface Provisioner {
  /** Unique among its siblings, without slashes: a part of the path that users read. */
  readonly name: string
  /** Done: what it stands for is there and works. */
  provision(pass: Pass): Promise<Result>
  /** Done: looked, and it is gone. Never "asked to go". */
  deprovision(pass: Pass): Promise<Result>
}

export type Verb = 'provision' | 'deprovision'

export function newPass(call: Call & { readonly fence?: bigint; readonly generation?: number }): Pass {
  const { signal, fence = 0n, generation = 0 } = call
  return { signal, fence, generation, cluster: undefined, memo: new Map() }
}

/** How a pass over a key, or over one step of it, can end. Yields and faults are values: nobody catches them. */
import type { Fault, ObjectKey } from '@gantry/core'

/** Converged: there is nothing left to do here. */
export type Done = { readonly state: 'done'; readonly path: string }

/** Not yet, come back. Not an error. */
export type Yield = {
  readonly state: 'yield'
  /** The step that waits, from the root: `cluster/network/cni`. */
  readonly path: string
  /** What it waits for, so that "waiting for …" reads as a sentence. */
  readonly reason: string
  /** When to come back, if the step knows better than the adaptive delay. */
  readonly retryAfterMs?: number
  /** Anything that changes when the wait gets nearer to its end (`3 of 5 pods`): progress makes the delay short again. */
  readonly progress?: string
  /** How long this may be waited for, where that is not what the controller allows: machines take longer than pods. */
  readonly stuckAfterMs?: number
}

/** Failed, and worth another try. */
export type Transient = {
  readonly state: 'transient'
  readonly path: string
  readonly fault: Fault
  /** We could not look: nothing is known about the state, neither good nor bad. */
  readonly blind?: boolean
}

/** Failed, and would fail again until something else changes. */
export type Permanent = { readonly state: 'permanent'; readonly path: string; readonly fault: Fault }

export type Leaf = Done | Yield | Transient | Permanent

/** What is reported for the whole, with the result of every step that was entered. */
export type Result = Leaf & {
  readonly parts?: readonly Leaf[]
  /** Objects this pass depended on: a change of any of them brings the key back at once, with its delays forgotten. */
  readonly references?: readonly ObjectKey[]
}

export type ResultState = Leaf['state']

/** What `waiting` can be told beside its reason. */
export type YieldMore = Pick<Yield, 'retryAfterMs' | 'progress' | 'stuckAfterMs'>

export function done(path = ''): Done {
  return { state: 'done', path }
}

export function waiting(path: string, reason: string, more: YieldMore = {}): Yield {
  return { state: 'yield', path, reason, ...more }
}

/** The results of the single steps; a result without parts is its own and only step. */
export function leavesOf(result: Result): readonly Leaf[] {
  return result.parts ?? [leafOf(result)]
}

function leafOf({ parts: _, references: __, ...leaf }: Result): Leaf {
  return leaf
}

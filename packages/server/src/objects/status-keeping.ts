/**
 * What controllers saw and could not write down. The status of such a workload is of before: whoever reads it is told so,
 * and since when, instead of being shown it as if it were of now.
 */
import {
  type Clock,
  type Fault,
  type FaultReason,
  type GantryObject,
  isFault,
  type ObjectKey,
  type Status,
} from '@gantry/core'
import { overlay } from '@gantry/providers'
import { keyOf, keyText } from '@gantry/reconcile'
import type { Command, Store } from '@gantry/store'
import { conditionsOf, unknown } from '../controllers/conditions.ts'

export type Unkept = { readonly reason: string; readonly message: string; readonly since: string }

export interface StatusKeeping {
  /** Why what was seen of this object, or of what is made for it, could not be written; `undefined`: it was. */
  of(key: ObjectKey): Unkept | undefined
  /** The object as it may be shown. The very same, where all is well. */
  shown<Seen extends GantryObject>(object: Seen): Seen
}

/** Nothing could be written: other refusals are about the write, and are tried again on what is there. */
const reasons: ReadonlySet<FaultReason> = new Set(['store_full', 'store_unavailable'])

type Failure = { readonly since: number; readonly last: number; readonly fault: Fault }

/** Longer than the longest pause before a controller tries again: who was not heard of for so long had nothing to say. */
const overAfterMs = 6 * 60_000

export class KeptStatus implements StatusKeeping {
  readonly #clock: Pick<Clock, 'now'>
  /** By workload, then by the object that could not be written. */
  readonly #failures = new Map<string, Map<string, Failure>>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The store for controllers: the same, and what becomes of their writes is remembered here. */
  watch(store: Store): Store {
    return overlay(store, {
      write: async (scope, commands, context, call) => {
        try {
          const written = await store.write(scope, commands, context, call)
          if (this.#failures.size > 0) this.#kept(commands)
          return written
        } catch (error) {
          if (isFault(error) && reasons.has(error.reason)) this.#failed(commands, error)
          throw error
        }
      },
    })
  }

  of(key: ObjectKey): Unkept | undefined {
    if (this.#failures.size === 0) return undefined
    const all = [...(this.#failures.get(workloadOf(key))?.values() ?? [])]
    const [first] = all.filter(({ last }) => this.#clock.now() - last < overAfterMs)
    if (!first) {
      this.#failures.delete(workloadOf(key))
      return undefined
    }
    const since = new Date(first.since).toISOString()
    const { reason, message } = first.fault
    return { reason, message: `What was seen since ${since} could not be kept: ${message}`, since }
  }

  shown<Seen extends GantryObject>(object: Seen): Seen {
    const unkept = this.#failures.size === 0 || !hasStatus(object) ? undefined : this.of(keyOf(object))
    if (!unkept) return object
    const { reason, message, since } = unkept
    const status = object.status as Status
    const conditions = conditionsOf(unknown(reason, message), status.conditions ?? [], Date.parse(since))
    const told = conditions.map((condition) => (condition.status === 'Unknown' ? { ...condition, since } : condition))
    return { ...object, status: { ...status, conditions: told } }
  }

  #failed(commands: readonly Command[], fault: Fault): void {
    for (const key of keysOf(commands)) {
      const known = this.#failures.get(workloadOf(key)) ?? new Map<string, Failure>()
      const text = keyText(key)
      // Since when stays what it was, and why is of now.
      const now = this.#clock.now()
      known.set(text, { since: known.get(text)?.since ?? now, last: now, fault })
      this.#failures.set(workloadOf(key), known)
    }
  }

  #kept(commands: readonly Command[]): void {
    for (const key of keysOf(commands)) {
      const known = this.#failures.get(workloadOf(key))
      known?.delete(keyText(key))
      if (known?.size === 0) this.#failures.delete(workloadOf(key))
    }
  }
}

const hasStatus = ({ kind }: GantryObject): boolean => kind === 'Workload' || kind === 'Instance' || kind === 'Rollout'

/** Of what a batch says about how things are; the rest of it is about how they shall be. */
function keysOf(commands: readonly Command[]): ObjectKey[] {
  return commands.flatMap((command) => (command.op === 'status' ? [command.key] : []))
}

/** Instances and rollouts are called after their workload, each with its own ending. */
function workloadOf({ kind, tenant = '', name }: ObjectKey): string {
  const own = kind === 'Instance' ? name.replace(/-[ab]$/, '') : kind === 'Rollout' ? name.replace(/-r\d+$/, '') : name
  return `${tenant}/${own}`
}

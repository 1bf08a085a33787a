/** A server that stops in the middle of everything, as if by SIGSTOP: what it asks of others waits until it may go on. */
import type { Engine } from '@gantry/providers'
import { overlay } from '@gantry/providers'
import type { Store } from '@gantry/store'

export type Gate = {
  /** From now on nothing gets through. */
  shut(): void
  /** All that waited goes on, in the order it came. */
  open(): void
  /** Resolves when it is open. */
  through(): Promise<void>
}

export function makeGate(): Gate {
  let opened = (): void => undefined
  let open = Promise.resolve()
  return {
    shut() {
      open = new Promise((resolve) => {
        opened = resolve
      })
    },
    open: () => opened(),
    through: () => open,
  }
}

/** Of an object whose methods answer later: each waits at the gate first. */
function gated<T extends object>(base: T, gate: Gate, names: readonly (keyof T)[]): T {
  const members = names.map((name) => {
    const method = base[name] as unknown as (...asked: unknown[]) => Promise<unknown>
    const wait = async (...asked: unknown[]): Promise<unknown> => {
      await gate.through()
      return await method.apply(base, asked)
    }
    return [name, wait] as const
  })
  return overlay(base, Object.fromEntries(members) as Partial<T>)
}

export function gatedStore(store: Store, gate: Gate): Store {
  const waiting = gated(store, gate, ['read', 'list', 'write', 'usage', 'compact'])
  return overlay(waiting, {
    leases: (scope) => gated(store.leases(scope), gate, leaseMethods),
  })
}

const leaseMethods = ['acquire', 'renew', 'release'] as const

export const gatedEngine = (engine: Engine, gate: Gate): Engine =>
  gated(engine, gate, ['converge', 'remove', 'look', 'info'])

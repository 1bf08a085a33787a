/**
 * The peer of writes: the same control plane and the same way of a request through it (identity, checks, the plan of the
 * change, the entry for audit, the answer as JSON), with the store answered for. Left out are the reads of token, tenant
 * and object, quota, the change, the entry's place in the chain, and the commit.
 */
import type { GantryObject } from '@gantry/core'
import type { Command, Store } from '@gantry/store'
import { kind, objectOf } from '../store-load.ts'

/** What is not a workload is the store's, and remembered after it was read once. */
export function answeredFor(store: Store): Store {
  const remembered = new Map<string, GantryObject>()
  return new Proxy(store, {
    get(target, method, receiver) {
      if (method === 'read') return read
      if (method === 'write') return write
      const own: unknown = Reflect.get(target, method, target)
      return typeof own === 'function' ? own.bind(target) : Reflect.get(target, method, receiver)
    },
  })

  async function read(...[scope, key, call]: Parameters<Store['read']>): Promise<GantryObject | undefined> {
    if (key.kind === kind) return undefined
    const id = `${key.kind}/${key.tenant}/${key.name}`
    const found = remembered.get(id) ?? (await store.read(scope, key, call))
    if (found) remembered.set(id, found)
    return found
  }

  async function write(...[scope, commands, context, call]: Parameters<Store['write']>) {
    if (!commands.every(isWorkload)) return await store.write(scope, commands, context, call)
    const results = commands.map((command) => {
      const object = made(command)
      return { did: 'created' as const, object, about: object, text: JSON.stringify(object) }
    })
    return { results, resourceVersion: 1 }
  }
}

const isWorkload = (command: Command): boolean => keyOf(command).kind === kind

const keyOf = (command: Command) => ('draft' in command ? command.draft.key : command.key)

function made(command: Command): GantryObject {
  const object = objectOf(1, 'draft' in command ? command.draft.spec : {})
  return { ...object, metadata: { ...object.metadata, name: keyOf(command).name } }
}

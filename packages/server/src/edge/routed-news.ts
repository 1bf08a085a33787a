/**
 * Whether what is told makes any difference to who gets requests. Most of it does not: a status is written with every restart
 * and every step of a rollout, and a table of all workloads is too much to be made for each.
 */
import { createHash } from 'node:crypto'
import type { EndpointStatus, GantryObject, ObjectOf } from '@gantry/core'
import { type Observation, type Observed, refKey } from '@gantry/providers'
import { keyOf, keyText } from '@gantry/reconcile'
import { conditionOf } from '../controllers/conditions.ts'

export class RoutedNews {
  /** By instance on an engine, and by object: a hash of it as far as a table is made from it. There are thousands. */
  readonly #known = new Map<string, string>()

  onEngine(provider: string, seen: Observation): boolean {
    switch (seen.type) {
      case 'changed':
        return this.#isNews(`${provider} ${refKey(seen.instance.ref)}`, routedOf(seen.instance))
      case 'gone':
        this.#known.delete(`${provider} ${refKey(seen.ref)}`)
        return true
      case 'snapshot':
        for (const instance of seen.instances) this.#isNews(`${provider} ${refKey(instance.ref)}`, routedOf(instance))
        return true
      case 'blind':
        return true
      default:
        return seen satisfies never
    }
  }

  inStore(object: GantryObject): boolean {
    const text = storedOf(object)
    return text === undefined || this.#isNews(keyText(keyOf(object)), text)
  }

  gone(key: Parameters<typeof keyText>[0]): void {
    this.#known.delete(keyText(key))
  }

  #isNews(key: string, text: string): boolean {
    const hash = createHash('sha256').update(text).digest('base64')
    if (this.#known.get(key) === hash) return false
    this.#known.set(key, hash)
    return true
  }
}

type Routed = Pick<Observed, 'replicas' | 'endpoints'> | ObjectOf<'Instance'>['status']

function routedOf({ replicas = [], endpoints = [] }: Routed): string {
  const each = replicas.map((replica): readonly unknown[] => {
    const { engineId, ready, terminating } = replica
    return [engineId, ready, terminating, replica.endpoints as readonly EndpointStatus[]]
  })
  return JSON.stringify([each, endpoints])
}

/** `undefined`: whatever is new about it counts. */
function storedOf(object: GantryObject): string | undefined {
  const { uid, generation, deletionRequestedAt } = object.metadata
  const common = [uid, generation, deletionRequestedAt]
  if (object.kind === 'Instance') {
    return JSON.stringify([...common, routedOf((object as unknown as ObjectOf<'Instance'>).status)])
  }
  if (object.kind !== 'Workload') return undefined
  const workload = object as unknown as ObjectOf<'Workload'>
  const { status, message } = conditionOf(workload, 'Ready') ?? {}
  return JSON.stringify([...common, workload.status.stable, status, message])
}

/** What a store does, written a second time without a database: slow, simple, and in memory. */
import type { Command, Did, Draft } from '../../command.ts'

export type ModelObject = {
  name: string
  spec: unknown
  status: unknown
  labels: Readonly<Record<string, string>>
  owner: string | undefined
  generation: number
  version: number
  finalizers: readonly string[]
  isDeleting: boolean
  used: bigint
  /** Which of all objects ever made this is. */
  serial: number
}

export type ModelAnswer = { readonly did: readonly Did[] } | { readonly reason: string; readonly at: number }

class Refusal extends Error {}

/** One tenant, one kind: objects by name. Owners are named, and looked up when the object is made. */
export class Model {
  objects = new Map<string, ModelObject>()
  version: number
  #serial = 0

  constructor(version: number) {
    this.version = version
  }

  write(commands: readonly Command[]): ModelAnswer {
    const before = { objects: this.objects, version: this.version }
    this.objects = new Map([...this.objects].map(([name, object]) => [name, { ...object }]))
    const did: Did[] = []
    for (const [at, command] of commands.entries()) {
      try {
        did.push(this.#apply(command))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        Object.assign(this, before)
        return { reason: error.message, at }
      }
    }
    return { did }
  }

  get used(): bigint {
    return [...this.objects.values()].reduce((sum, { used }) => sum + used, 0n)
  }

  #apply(command: Command): Did {
    const name = 'draft' in command ? command.draft.key.name : command.key.name
    const object = this.objects.get(name)
    if (command.op === 'create') {
      if (object) throw new Refusal('already_exists')
      return this.#make(command.draft)
    }
    if (!object) {
      if (command.op === 'replace' && command.ifAbsent === 'create' && command.ifGeneration === undefined)
        return this.#make(command.draft)
      throw new Refusal('object_not_found')
    }
    switch (command.op) {
      case 'replace':
        return this.#replace(object, command)
      case 'status':
        if (object.version !== command.ifVersion) throw new Refusal('version_conflict')
        if (JSON.stringify(object.status) === JSON.stringify(command.status)) return 'unchanged'
        object.status = command.status
        return this.#put(object)
      case 'delete':
        return this.#delete(object)
      case 'addFinalizer':
        if (object.finalizers.includes(command.finalizer)) return 'unchanged'
        if (object.isDeleting) throw new Refusal('being_deleted')
        object.finalizers = [...object.finalizers, command.finalizer]
        return this.#put(object)
      case 'removeFinalizer': {
        if (!object.finalizers.includes(command.finalizer)) return 'unchanged'
        object.finalizers = object.finalizers.filter((one) => one !== command.finalizer)
        return object.isDeleting && object.finalizers.length === 0 ? this.#drop(object) : this.#put(object)
      }
    }
  }

  #make(draft: Draft): Did {
    const owner = draft.ownerRefs?.[0]?.uid
    if (owner !== undefined && !this.#exists(owner)) throw new Refusal('object_not_found')
    this.#serial += 1
    const object: ModelObject = {
      name: draft.key.name,
      spec: draft.spec,
      status: {},
      labels: draft.labels ?? {},
      owner,
      generation: 1,
      version: 0,
      finalizers: draft.finalizers ?? [],
      isDeleting: false,
      used: draft.usage?.size ?? 0n,
      serial: this.#serial,
    }
    this.objects.set(object.name, object)
    this.#put(object)
    return 'created'
  }

  #replace(object: ModelObject, { draft, ifGeneration }: Extract<Command, { op: 'replace' }>): Did {
    if (ifGeneration !== undefined && ifGeneration !== object.generation) throw new Refusal('generation_conflict')
    const used = draft.usage?.size ?? object.used
    const isSameSpec = JSON.stringify(draft.spec) === JSON.stringify(object.spec)
    const isSame =
      isSameSpec && JSON.stringify(draft.labels ?? {}) === JSON.stringify(object.labels) && used === object.used
    if (isSame) return 'unchanged'
    if (object.isDeleting) throw new Refusal('being_deleted')
    Object.assign(object, { spec: draft.spec, labels: draft.labels ?? {}, used })
    if (!isSameSpec) object.generation += 1
    return this.#put(object)
  }

  #delete(object: ModelObject): Did {
    if (object.isDeleting) return 'unchanged'
    object.isDeleting = true
    if (object.finalizers.length === 0) return this.#drop(object)
    this.#put(object)
    return 'deleting'
  }

  #drop(object: ModelObject): Did {
    this.objects.delete(object.name)
    this.version += 1
    for (const other of this.objects.values()) if (other.owner === uidOf(object)) this.#delete(other)
    return 'deleted'
  }

  #put(object: ModelObject): Did {
    this.version += 1
    object.version = this.version
    return 'configured'
  }

  #exists(uid: string): boolean {
    return [...this.objects.values()].some((object) => uidOf(object) === uid)
  }
}

/** How the model names an owner; the store has its own uids. */
export const uidOf = (object: Pick<ModelObject, 'serial' | 'name'>): string => `${object.name}-${object.serial}`

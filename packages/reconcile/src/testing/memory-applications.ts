/** A tool that installs applications, in memory: it syncs and becomes healthy after a while, or as a test tells it to. */
import { type Clock, Fault } from '@gantry/core'
import type {
  ApplicationDriver,
  ApplicationHealth,
  ApplicationId,
  ObservedApplication,
  Removal,
} from '../provisioners/application/application-driver.ts'
import type { ApplicationSpec } from '../provisioners/application/application-spec.ts'
import type { Pass } from '../provisioners/provisioner.ts'

export type MemoryApplication = {
  readonly id: ApplicationId
  spec: ApplicationSpec
  hash: string
  appliedAt: number
  /** What a test says instead of the time. */
  told: { synced?: boolean; health?: ApplicationHealth | undefined } | undefined
  finalizers: string[]
  deletedAt: number | undefined
  cascade: boolean
  hookedFor: string | undefined
}

export type MemoryApplicationsOptions = {
  readonly clock: Clock
  /** From an apply to synced and healthy. */
  readonly installMs?: number
  /** From the request to being gone. */
  readonly removeMs?: number
}

export const cascadeFinalizer = 'cascade'

export class MemoryApplications implements ApplicationDriver {
  readonly #options: Required<MemoryApplicationsOptions>
  readonly #applications = new Map<string, MemoryApplication>()
  /** Every write, in order: `apply web`, `delete web`. */
  readonly journal: string[] = []

  constructor(options: MemoryApplicationsOptions) {
    this.#options = { installMs: 0, removeMs: 0, ...options }
  }

  get size(): number {
    this.#collect()
    return this.#applications.size
  }

  /** By name alone; a test has few of them. */
  find(name: string): MemoryApplication {
    this.#collect()
    const found = [...this.#applications.values()].find(({ id }) => id.name === name)
    if (!found) throw new Fault('object_not_found', `there is no application ${name}`)
    return found
  }

  async read(id: ApplicationId, { signal }: Pass): Promise<ObservedApplication | undefined> {
    signal.throwIfAborted()
    this.#collect()
    const application = this.#applications.get(textOf(id))
    if (!application) return undefined
    const { hash, told, appliedAt, deletedAt, hookedFor } = application
    const installed = this.#options.clock.monotonic() - appliedAt >= this.#options.installMs
    return {
      hash,
      synced: told?.synced ?? installed,
      health: told && 'health' in told ? told.health : installed ? 'healthy' : 'progressing',
      deleting: deletedAt !== undefined,
      ...(hookedFor === undefined ? {} : { hookedFor }),
    }
  }

  async apply(id: ApplicationId, spec: ApplicationSpec, hash: string, { signal }: Pass): Promise<void> {
    signal.throwIfAborted()
    this.journal.push(`apply ${id.name}`)
    const fresh = { finalizers: [], deletedAt: undefined, cascade: true, hookedFor: undefined, told: undefined }
    const before = this.#applications.get(textOf(id)) ?? fresh
    const appliedAt = this.#options.clock.monotonic()
    this.#applications.set(textOf(id), { ...before, id, spec, hash, appliedAt })
  }

  async delete(id: ApplicationId, { cascade }: Removal, { signal }: Pass): Promise<void> {
    signal.throwIfAborted()
    const application = this.#applications.get(textOf(id))
    if (!application) return
    this.journal.push(`delete ${id.name}`)
    application.deletedAt ??= this.#options.clock.monotonic()
    application.cascade = cascade
    if (cascade && !application.finalizers.includes(cascadeFinalizer)) application.finalizers.push(cascadeFinalizer)
  }

  async recordHook(id: ApplicationId, token: string, { signal }: Pass): Promise<void> {
    signal.throwIfAborted()
    const application = this.#applications.get(textOf(id))
    if (application) application.hookedFor = token
  }

  /** What was asked to go, and has had its time, goes with its last finalizer. */
  #collect(): void {
    const { clock, removeMs } = this.#options
    for (const [text, application] of this.#applications) {
      const { deletedAt } = application
      if (deletedAt === undefined || clock.monotonic() - deletedAt < (application.cascade ? removeMs : 0)) continue
      application.finalizers = application.finalizers.filter((finalizer) => finalizer !== cascadeFinalizer)
      if (application.finalizers.length === 0) this.#applications.delete(text)
    }
  }
}

function textOf({ name, labels }: ApplicationId): string {
  return JSON.stringify([name, labels])
}

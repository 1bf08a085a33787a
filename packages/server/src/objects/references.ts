/** What a spec refers to must be there, and be for its tenant, before anything is stored. */
import {
  type Call,
  Fault,
  type KindName,
  type ProviderSpec,
  type RouteSpec,
  servesTenant,
  type WorkloadSpec,
} from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import { checkHosts } from './hosts.ts'

type Wanted = { readonly kind: KindName; readonly spec: unknown; readonly tenant: string | undefined }

export class References {
  readonly #store: Store
  readonly #scope: SystemScope
  readonly #types: readonly string[]

  /** `types`: of providers that the server was started with. */
  constructor(store: Store, scope: SystemScope, types: readonly string[]) {
    this.#store = store
    this.#scope = scope
    this.#types = types
  }

  /** `besides`: providers that are made in the same batch. */
  async check({ kind, spec, tenant }: Wanted, call: Call, besides: ReadonlyMap<string, ProviderSpec> = new Map()) {
    if (kind === 'Provider') this.#checkType(spec as ProviderSpec)
    if (kind === 'Route' && tenant !== undefined) {
      await checkHosts(this.#store, this.#scope, spec as RouteSpec, tenant, call)
    }
    if (kind !== 'Workload' || tenant === undefined) return
    const { provider } = spec as WorkloadSpec
    if (provider === undefined) return
    const found = besides.get(provider) ?? (await this.#provider(provider, call))
    // One that is for others is not there for this one.
    if (found && servesTenant(found, tenant)) return
    const message = `there is no provider "${provider}" for tenant "${tenant}"`
    throw new Fault('provider_not_found', `The workload cannot run: ${message}`, {
      issues: [{ path: 'spec.provider', message }],
    })
  }

  async #provider(name: string, call: Call): Promise<ProviderSpec | undefined> {
    const found = await this.#store.read(this.#scope, { kind: 'Provider', name }, call)
    return found?.spec as ProviderSpec | undefined
  }

  #checkType({ type }: ProviderSpec): void {
    if (this.#types.includes(type)) return
    const known = this.#types.length === 0 ? 'none at all' : this.#types.join(', ')
    const message = `"${type}" is not one of those that this server was started with: ${known}`
    throw new Fault('field_unsupported', `The provider cannot be used: ${message}`, {
      issues: [{ path: 'spec.type', message }],
    })
  }
}

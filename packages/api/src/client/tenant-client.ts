/** Everything that is one tenant's. */
import type { kinds, MadeKindName, ObjectOf, WrittenKindName } from '@gantry/core'
import type { KindNameIn } from '../endpoints/of-kind.ts'
import type { AuditEntry, AuditPage } from '../schemas/audit.ts'
import type { TenantEvent } from '../schemas/event.ts'
import type { OfferedProvider, TenantQuota } from '../schemas/home.ts'
import type { ApplyInput, ApplyReply, PlanInput, PlanReply } from '../schemas/plan.ts'
import type { SecretChange, SecretData } from '../schemas/secret-data.ts'
import type { AnyObjectInput } from '../schemas/write.ts'
import { type CallOptions, callEndpoint } from './call.ts'
import { type KindClient, kindClient, type LookClient, lookClient, type WriteOptions } from './kind-client.ts'
import { type Paged, paged } from './pages.ts'
import { type TenantTokenInput, type TokenClient, tenantTokens } from './token-client.ts'
import type { Watcher } from './watch.ts'
import { type WorkloadClient, workloadClient } from './workload-client.ts'

export type AuditOptions = CallOptions & { readonly order?: 'oldest' | 'newest' | undefined }

export type ActivityOptions = CallOptions & {
  /** At most so many. */
  readonly limit?: number | undefined
  /** Nothing older, as an ISO time. */
  readonly since?: string | undefined
}

export interface SecretClient extends KindClient<'Secret'> {
  /** Writes all values as the next version. There is no way to read them back. */
  putData(name: string, data: SecretData, options?: WriteOptions): Promise<ObjectOf<'Secret'>>
  /** Writes some values as the next version; the others are taken over from the one before, inside the server. */
  patchData(name: string, change: SecretChange, options?: WriteOptions): Promise<ObjectOf<'Secret'>>
}

/** One for each kind that belongs to a tenant, under its plural. */
export type TenantKinds = {
  readonly [Name in KindNameIn<'tenant'> & WrittenKindName as (typeof kinds)[Name]['plural']]: KindClient<Name>
} & {
  readonly [Name in KindNameIn<'tenant'> & MadeKindName as (typeof kinds)[Name]['plural']]: LookClient<Name>
} & { readonly secrets: SecretClient; readonly workloads: WorkloadClient }

export interface TenantClient extends TenantKinds {
  readonly name: string
  readonly tokens: TokenClient<TenantTokenInput>
  /** What was done here, and what was refused. */
  audit(options?: AuditOptions): Paged<AuditEntry, AuditPage>
  /** What happened to any of its objects, newest first. */
  activity(options?: ActivityOptions): Promise<readonly TenantEvent[]>
  /** How much it may have, and how much of it is used. */
  quota(options?: CallOptions): Promise<TenantQuota>
  /** What its workloads may run on. */
  providers(options?: CallOptions): Promise<readonly OfferedProvider[]>
  /** All or nothing; objects that name no tenant are this one's. */
  apply(
    objects: readonly AnyObjectInput[],
    how?: Omit<ApplyInput, 'objects' | 'tenant'> & CallOptions,
  ): Promise<ApplyReply>
  /** What that would do; changes nothing. */
  plan(
    objects: readonly AnyObjectInput[],
    how?: Omit<PlanInput, 'objects' | 'tenant'> & CallOptions,
  ): Promise<PlanReply>
}

export function tenantClient(watcher: Watcher, tenant: string): TenantClient {
  const { routes, releases, rollouts, instances, secrets, audit, home, objects: many } = watcher.endpoints
  const params = { tenant }
  return {
    name: tenant,
    workloads: workloadClient(watcher, tenant),
    routes: kindClient<'Route'>(watcher, routes, params),
    releases: lookClient<'Release'>(watcher, releases, params),
    rollouts: lookClient<'Rollout'>(watcher, rollouts, params),
    instances: lookClient<'Instance'>(watcher, instances, params),
    secrets: {
      ...kindClient<'Secret'>(watcher, secrets, params),
      putData: (name, body, { ifGeneration, ...options } = {}) =>
        callEndpoint(watcher, secrets.putData, { params: { tenant, name }, body, ifGeneration }, options),
      patchData: (name, body, { ifGeneration, ...options } = {}) =>
        callEndpoint(watcher, secrets.patchData, { params: { tenant, name }, body, ifGeneration }, options),
    },
    tokens: tenantTokens(watcher, tenant),
    audit: ({ order, ...options } = {}) =>
      paged((from) => callEndpoint(watcher, audit.list, { params, query: { order, continue: from } }, options)),
    activity: async ({ limit, since, ...options } = {}) =>
      (await callEndpoint(watcher, home.activity, { params, query: { limit, since } }, options)).items,
    quota: (options) => callEndpoint(watcher, home.quota, { params }, options),
    providers: async (options) => (await callEndpoint(watcher, home.providers, { params }, options)).items,
    apply: (objects, { signal, timeoutMs, ...how } = {}) =>
      callEndpoint(
        watcher,
        many.apply,
        { params: {}, body: { ...how, tenant, objects: [...objects] } },
        { signal, timeoutMs },
      ),
    plan: (objects, { signal, timeoutMs, ...how } = {}) =>
      callEndpoint(
        watcher,
        many.plan,
        { params: {}, body: { ...how, tenant, objects: [...objects] } },
        { signal, timeoutMs },
      ),
  }
}

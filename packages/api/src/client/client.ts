/** The typed client, for Node and browsers alike: everything it has follows from the endpoints. */
import { type Clock, type kinds, systemClock, type WrittenKindName } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import type { KindNameIn } from '../endpoints/of-kind.ts'
import type { Endpoints } from '../endpoints/table.ts'
import type { AuditEntry, AuditPage, AuditVerdict } from '../schemas/audit.ts'
import type { ApplyInput, ApplyReply, PlanInput, PlanReply } from '../schemas/plan.ts'
import type { Region } from '../schemas/regions.ts'
import type { Readiness, ServerVersion, Whoami } from '../schemas/server.ts'
import { type CallOptions, callEndpoint } from './call.ts'
import { download } from './download.ts'
import { type KindClient, kindClient, type ListClient, listClient } from './kind-client.ts'
import { type Paged, paged } from './pages.ts'
import type { ReplyOf, RequestFor } from './request.ts'
import { type AuditOptions, type TenantClient, tenantClient } from './tenant-client.ts'
import { type SystemTokenInput, systemTokens, type TokenClient } from './token-client.ts'
import { type Fetch, serverAddress, type TokenSource } from './transport.ts'
import type { Watcher } from './watch.ts'
import type { WebSocketFactory } from './web-socket.ts'

export type ClientOptions = {
  /** Where it is, e.g. `http://127.0.0.1:7400`. */
  readonly server: string | URL
  /** A token, or where to get one for each request. */
  readonly token?: TokenSource | undefined
  /** Left out: the runtime's own. */
  readonly fetch?: Fetch | undefined
  /** For exec and port-forward; left out: the runtime's own, which Node has from 22 on. */
  readonly webSocket?: WebSocketFactory | undefined
  readonly clock?: Clock | undefined
  /** How long one request may take; left out: 30 s. */
  readonly timeoutMs?: number | undefined
  /** How long a watch goes on trying to reach a server that it has lost; left out: 5 min. */
  readonly giveUpAfterMs?: number | undefined
  readonly random?: (() => number) | undefined
}

/** One for each kind that belongs to the installation, and the lists across tenants of the others. */
type SystemKinds = {
  readonly [Name in KindNameIn<'system'> & WrittenKindName as (typeof kinds)[Name]['plural']]: KindClient<Name>
} & { readonly [Name in KindNameIn<'tenant'> as (typeof kinds)[Name]['plural']]: ListClient<Name> }

export interface Client extends SystemKinds {
  /** The address that it speaks to. */
  readonly server: string
  /** Everything that is one tenant's. */
  tenant(name: string): TenantClient
  /** Tokens with the role system. */
  readonly tokens: TokenClient<SystemTokenInput>
  readonly audit: {
    /** What was done anywhere, and what was refused. */
    list(options?: AuditOptions): Paged<AuditEntry, AuditPage>
    /** Walks the whole chain, and names the first entry that is not what was written. */
    verify(options?: CallOptions): Promise<AuditVerdict>
  }
  /** All or nothing. */
  apply(input: ApplyInput, options?: CallOptions): Promise<ApplyReply>
  /** What that would do; changes nothing. */
  plan(input: PlanInput, options?: CallOptions): Promise<PlanReply>
  /** Where workloads of the caller can run, by place. */
  regions(options?: CallOptions): Promise<readonly Region[]>
  whoami(options?: CallOptions): Promise<Whoami>
  version(options?: CallOptions): Promise<ServerVersion>
  /** Whether the process answers at all. */
  health(options?: CallOptions): Promise<{ status: 'ok' }>
  /** Whether it can do its work, and which part cannot: an answer, not a fault. */
  ready(options?: CallOptions): Promise<Readiness>
  /** The bytes of a backup as they come; whole if it ends without throwing. Write it to a file, and keep the master key besides. */
  backup(options?: CallOptions): AsyncIterable<Uint8Array>
  /** In the text format of Prometheus. */
  metrics(options?: CallOptions): Promise<string>
  /** Any endpoint at all. */
  call<E extends Endpoint>(endpoint: E, given: RequestFor<E>, options?: CallOptions): Promise<ReplyOf<E>>
}

/** A client for these endpoints, which are the same for everybody but for how much of an answer they check. */
export function clientOver(endpoints: Endpoints, options: ClientOptions): Client {
  const watcher: Watcher = {
    endpoints,
    server: serverAddress(options.server),
    token: options.token,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock: options.clock ?? systemClock,
    webSocket: options.webSocket,
    timeoutMs: options.timeoutMs ?? 30_000,
    giveUpAfterMs: options.giveUpAfterMs ?? 300_000,
    random: options.random ?? Math.random,
  }
  const { workloads, routes, releases, rollouts, instances, secrets, tenants, providers, audit, objects, server } =
    endpoints
  const nothing = { params: {} }
  return {
    server: watcher.server,
    tenant: (name) => tenantClient(watcher, name),
    tenants: kindClient<'Tenant'>(watcher, tenants, {}),
    providers: kindClient<'Provider'>(watcher, providers, {}),
    workloads: listClient<'Workload'>(watcher, workloads.listAll, {}),
    routes: listClient<'Route'>(watcher, routes.listAll, {}),
    releases: listClient<'Release'>(watcher, releases.listAll, {}),
    rollouts: listClient<'Rollout'>(watcher, rollouts.listAll, {}),
    instances: listClient<'Instance'>(watcher, instances.listAll, {}),
    secrets: listClient<'Secret'>(watcher, secrets.listAll, {}),
    tokens: systemTokens(watcher),
    audit: {
      list: ({ order, ...rest } = {}) =>
        paged((from) => callEndpoint(watcher, audit.listAll, { params: {}, query: { order, continue: from } }, rest)),
      verify: (call) => callEndpoint(watcher, audit.verify, nothing, call),
    },
    apply: (body, call) => callEndpoint(watcher, objects.apply, { params: {}, body }, call),
    plan: (body, call) => callEndpoint(watcher, objects.plan, { params: {}, body }, call),
    regions: async (call) => (await callEndpoint(watcher, endpoints.regions.list, nothing, call)).items,
    whoami: (call) => callEndpoint(watcher, server.whoami, nothing, call),
    version: (call) => callEndpoint(watcher, server.version, nothing, call),
    health: (call) => callEndpoint(watcher, server.health, nothing, call),
    ready: (call) => callEndpoint(watcher, server.ready, nothing, call),
    metrics: (call) => callEndpoint(watcher, server.metrics, nothing, call),
    backup: (call) => download(watcher, server.backup, nothing, call),
    call: (endpoint, given, call) => callEndpoint(watcher, endpoint, given, call),
  }
}

/** The control plane as a library: everything but the listening socket and the files of `serve`. */
import { randomBytes } from 'node:crypto'
import { type Client, createClient, type Identity, openApiDocument, type Readiness } from '@gantry/api'
import { type Call, type Clock, Fault, isFault, systemClock, withDeadline } from '@gantry/core'
import { openStore, type Store, type SystemScope, systemScope } from '@gantry/store'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app/app.ts'
import { type FetchLike, fetchFrom } from './app/inject.ts'
import { type HttpLimits, httpLimits } from './app/limits.ts'
import { type Log, silent } from './app/log.ts'
import type { PipelineDeps } from './app/pipeline.ts'
import type { TlsFiles } from './app/tls.ts'
import { RecentPlans } from './apply/recent-plans.ts'
import { Strangers } from './audit/strangers.ts'
import { type Authenticate, bearerOf } from './auth/authenticate.ts'
import { LastUsed } from './auth/last-used.ts'
import { tokenAuthenticator } from './auth/tokens.ts'
import { EventRecorder } from './events/recorder.ts'
import { References } from './objects/references.ts'
import { Tenants } from './quota/tenants.ts'
import { rateLimit } from './rate-limit/rate-limit.ts'
import { secretDataRoute } from './routes/secret-data.ts'
import { routesOf } from './routes/table.ts'
import { claim, firstTenant, isUnclaimed } from './serve/first-start.ts'
import { measuredStore } from './telemetry/measured-store.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import type { KeySource } from './vault/key-source.ts'
import { openVault } from './vault/open-vault.ts'
import { OpenStreams } from './watch/open-streams.ts'

export type ControlPlaneOptions = {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. */
  readonly database: string
  /** The engines that workloads can run on, by the type that a Provider names. */
  readonly providers: Readonly<Record<string, unknown>>
  /** Nothing is routed so far: only `false` is true. */
  readonly edge: false
  /** Where the master keys of the vault are. */
  readonly keys: KeySource
  /** Asked first; tokens are asked about what it leaves alone. */
  readonly authenticate?: Authenticate
  /** Asked once, when nobody has a token of the installation yet: the text of the first, kept by whoever made it. */
  readonly claim?: () => Promise<string>
  readonly logger?: Log
  readonly clock?: Clock
  readonly limits?: Partial<HttpLimits>
  /** Requests a second; left out: those of one busy installation. `false`: none, behind something that has its own. */
  readonly rates?: Rates | false
  /** Figures of the whole process among the metrics: for a server, which is all of its process. */
  readonly processMetrics?: boolean
  /** Wraps the store, to measure it or to break it. */
  readonly wrapStore?: (store: Store) => Store
}

type Rate = { readonly perSecond: number; readonly burst: number }
export type Rates = { readonly perAddress: Rate; readonly perToken: Rate }

const usualRates: Rates = {
  perAddress: { perSecond: 1000, burst: 5000 },
  perToken: { perSecond: 500, burst: 2000 },
}

export type Listening = { readonly host: string; readonly port: number; readonly tls?: TlsFiles }

export interface ControlPlane {
  /** Opens the database and gets ready. Twice is a mistake. */
  start(call: Call): Promise<void>
  /** Listens too; resolves with the address. */
  listen(at: Listening, call: Call): Promise<string>
  /** Takes nothing new, finishes what is under way, ends streams with a reason. Twice is harmless. */
  stop(): Promise<void>
  /** The typed client, as the installation itself. */
  readonly client: Client
  /** Any request, as if it had come over the network. */
  readonly fetch: FetchLike
}

const version = '0.1.0'

type Running = { readonly store: Store; readonly app: FastifyInstance; readonly stop: () => Promise<void> }

export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  /** Known to this object alone, and to no store: what the client proves itself with. */
  const ownToken = randomBytes(32).toString('base64url')
  let running: Promise<Running> | undefined
  let tls: TlsFiles | undefined

  const begin = (call: Call): Promise<Running> => {
    if (running) throw new Fault('unexpected', 'The control plane was started already')
    running = run(options, ownToken, tls, call)
    return running
  }
  const fetch: FetchLike = async (url, init) => {
    if (!running) throw new Fault('shutting_down', 'The control plane is not started; call start() first')
    return await fetchFrom((await running).app)(url, init)
  }
  return {
    start: async (call) => void (await begin(call)),
    async listen(at, call) {
      tls = at.tls
      const { app } = await begin(call)
      return await app.listen({ host: at.host, port: at.port })
    },
    async stop() {
      const was = await running?.catch(() => undefined)
      await was?.stop()
    },
    client: createClient({ server: 'http://gantry.internal', token: ownToken, fetch: (url, init) => fetch(url, init) }),
    fetch,
  }
}

async function run(options: ControlPlaneOptions, own: string, tls: TlsFiles | undefined, call: Call): Promise<Running> {
  const { clock = systemClock, logger: log = silent } = options
  const scope = systemScope()
  const opened = await openStore({ database: options.database, clock }, call)
  const metrics = createMetrics({ process: options.processMetrics ?? false })
  const store = measuredStore(options.wrapStore?.(opened) ?? opened, metrics, clock)
  try {
    return await assemble(options, { store, scope, clock, log, metrics }, own, tls, call)
  } catch (error) {
    await store.close()
    throw error
  }
}

type Base = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

async function assemble(
  options: ControlPlaneOptions,
  base: Base,
  own: string,
  tls: TlsFiles | undefined,
  call: Call,
): Promise<Running> {
  const { store, scope, clock, metrics } = base
  const limits = { ...httpLimits, ...options.limits }
  const vault = await openVault({ store, scope, keys: options.keys, clock }, call)
  const lastUsed = new LastUsed(base)
  const strangers = new Strangers(base)
  const events = new EventRecorder(base)
  const streams = new OpenStreams(clock, limits.recheckMs)
  const stopping = new AbortController()
  const tokens = tokenAuthenticator({ store, scope, clock, lastUsed })
  const pipeline: PipelineDeps = {
    ...base,
    limits,
    strangers,
    streams,
    stopping: stopping.signal,
    authenticate: async (credentials, during) => {
      if (bearerOf(credentials) === own) return itself
      return (await options.authenticate?.(credentials, during)) ?? (await tokens(credentials, during))
    },
    ...(options.rates !== false && { admit: admission(clock, options.rates ?? usualRates) }),
  }
  const references = new References(store, scope, Object.keys(options.providers))
  const deps = {
    ...base,
    events,
    references,
    tenants: new Tenants(store, scope),
    plans: new RecentPlans(),
    version,
    openapi: openApiDocument(),
    ready: (during: Call) => readiness(base, during),
  }
  const app = createApp(
    routesOf(deps, { putData: secretDataRoute(deps, vault), metrics: () => metrics.text() }),
    pipeline,
    {
      ...(tls && { tls }),
    },
  )
  await firstTenant(store, scope, call)
  if (options.claim && (await isUnclaimed(store, scope, call))) await claim(store, scope, await options.claim(), call)
  await app.ready()
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    streams.close()
    await app.close()
    stopping.abort(new Fault('shutting_down', 'The server is stopping'))
    const last = { signal: new AbortController().signal }
    for (const part of [events, lastUsed, strangers]) await part.flush(last).catch((error) => lostLast(base, error))
    await store.close()
  }
  return { store, app, stop: () => (stopped ??= stop()) }
}

const itself: Identity = { name: 'control-plane', grants: [{ role: 'system' }] }

function lostLast({ log }: Base, error: unknown): void {
  log.warn('could not write the last of it while stopping', { reason: isFault(error) ? error.reason : 'unexpected' })
}

function admission(clock: Clock, rates: Rates): NonNullable<PipelineDeps['admit']> {
  const limiter = rateLimit({ clock, ...rates })
  return (address, identity) => (identity ? limiter.admitToken(identity.name) : limiter.admitAddress(address))
}

const readyWithinMs = 2000

/** A store that cannot be read is not ready; neither is one that takes too long. */
async function readiness({ store, scope, clock }: Base, call: Call): Promise<Readiness> {
  const deadline = withDeadline(clock, readyWithinMs, 'The database', call)
  try {
    await store.read(scope, { kind: 'Tenant', name: 'default' }, deadline)
    return { ready: true, parts: [{ name: 'store', ready: true }] }
  } catch (error) {
    const message = isFault(error) ? error.message : 'cannot be read'
    return { ready: false, parts: [{ name: 'store', ready: false, message }] }
  } finally {
    deadline.clear()
  }
}

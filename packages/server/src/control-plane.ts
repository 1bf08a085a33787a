/** The control plane as a library: everything but the listening socket and the files of `serve`. */
import { randomBytes } from 'node:crypto'
import { type Client, createClient, type Identity } from '@gantry/api'
import { type Call, type Clock, Fault, isFault, systemClock } from '@gantry/core'
import { type Leaving, leaveAtOnce } from '@gantry/providers'
import { openStore, type Store, type SystemScope, systemScope } from '@gantry/store'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app/app.ts'
import { expectFree, portInUse } from './app/expect-free.ts'
import { type FetchLike, fetchFrom } from './app/inject.ts'
import { httpLimits } from './app/limits.ts'
import { type Log, silent } from './app/log.ts'
import type { PipelineDeps } from './app/pipeline.ts'
import type { TlsFiles } from './app/tls.ts'
import { engineStepsOf } from './apply/engine-steps.ts'
import { observedBy } from './apply/observed.ts'
import { Strangers } from './audit/strangers.ts'
import { bearerOf } from './auth/authenticate.ts'
import { LastUsed } from './auth/last-used.ts'
import { tokenAuthenticator } from './auth/tokens.ts'
import { type ControlPlaneOptions, keysOf } from './control-plane-options.ts'
import { ageFieldsOf } from './controllers/age-fields.ts'
import { type Controllers, type ControllersOptions, startControllers } from './controllers/start.ts'
import { edgeAddress, openRouting } from './edge/open-routing.ts'
import { requestFigures } from './edge/request-figures.ts'
import { installationOf } from './engines/installation.ts'
import { openHub } from './engines/open-hub.ts'
import { EventRecorder } from './events/recorder.ts'
import { releaseSecrets } from './logs/collect/release-secrets.ts'
import { References } from './objects/references.ts'
import { KeptStatus } from './objects/status-keeping.ts'
import { Tenants } from './quota/tenants.ts'
import { admission, usualRates } from './rate-limit/admission.ts'
import { secretDataRoutes } from './routes/secret-data.ts'
import { routesOf } from './routes/table.ts'
import { claim, firstTenant, isUnclaimed } from './serve/first-start.ts'
import { socketsTo } from './streams/in-process.ts'
import { openRecordings } from './streams/recordings.ts'
import { streamRoutes } from './streams/routes.ts'
import { measuredStore } from './telemetry/measured-store.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { ReadyParts } from './telemetry/readiness.ts'
import { figuresOf } from './telemetry/samples/figures.ts'
import { feedReady, storeReady } from './telemetry/store-parts.ts'
import { openVault } from './vault/open-vault.ts'
import { secretSource } from './vault/secret-source.ts'
import { OpenStreams } from './watch/open-streams.ts'

export type Listening = { readonly host: string; readonly port: number; readonly tls?: TlsFiles }

export interface ControlPlane {
  /** Opens the database and gets ready. Twice is a mistake. */
  start(call?: Call): Promise<void>
  /** Listens too; resolves with the address. */
  listen(at: Listening, call?: Call): Promise<string>
  /** Takes nothing new, finishes what is under way, ends streams with a reason. Twice is harmless. */
  stop(): Promise<void>
  /** The typed client, as the installation itself. */
  readonly client: Client
  /** Any request, as if it had come over the network. */
  readonly fetch: FetchLike
}

const version = '0.1.0'

const never: Call = { signal: new AbortController().signal }

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
  const started = async (): Promise<Running> => {
    if (!running) throw new Fault('shutting_down', 'The control plane is not started; call start() first')
    return await running
  }
  const fetch: FetchLike = async (url, init) => {
    return await fetchFrom((await started()).app)(url, init)
  }
  return {
    start: async (call = never) => void (await begin(call)),
    async listen(at, call = never) {
      tls = at.tls
      await expectFree(at)
      const { app } = await begin(call)
      return await app.listen({ host: at.host, port: at.port }).catch((error: unknown) => {
        throw portInUse(at, error)
      })
    },
    async stop() {
      const was = await running?.catch(() => undefined)
      await was?.stop()
    },
    client: createClient({
      server: 'http://gantry.internal',
      token: ownToken,
      fetch: (url, init) => fetch(url, init),
      webSocket: socketsTo(async () => (await started()).app.server),
    }),
    fetch,
  }
}

async function run(options: ControlPlaneOptions, own: string, tls: TlsFiles | undefined, call: Call): Promise<Running> {
  const { clock = systemClock, logger: log = silent } = options
  const scope = systemScope()
  const opened = await openStore({ database: options.database, clock, ageFields: ageFieldsOf }, call)
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
  const vault = await openVault({ store, scope, keys: keysOf(options), clock }, call)
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
  const parts = new ReadyParts(clock)
  parts.add('store', storeReady(store, scope))
  parts.add('feed', feedReady(store, scope))
  const hub = openHub(clock)
  const references = new References(store, scope, Object.keys(options.providers))
  const keeping = new KeptStatus(clock)
  const deps = {
    ...base,
    keeping,
    events,
    references,
    vault,
    tenants: new Tenants(store, scope),
    observed: observedBy(store, scope, hub),
    engineSteps: engineStepsOf(store, scope, hub, vault),
    stalledMs: limits.stalledMs,
    version,
    edge: edgeAddress(options),
    ready: (during: Call) => parts.look(during),
  }
  const secretsOf = releaseSecrets(store, scope, secretSource(vault))
  const recordings = await openRecordings({ data: options.data, hub, secretsOf, clock, log: base.log })
  const { sampler } = recordings
  metrics.watchWorkloads(() => sampler.seen().map((seen) => figuresOf(seen, sampler.latest(seen.uid))))
  const app = createApp(
    routesOf(deps, {
      secretData: secretDataRoutes(deps, vault),
      metrics: () => metrics.text(),
      vault,
      streams: streamRoutes({ ...base, hub, ...recordings }),
    }),
    pipeline,
    {
      ...(tls && { tls }),
    },
  )
  await firstTenant(store, scope, options.firstProvider, call)
  if (options.claim && (await isUnclaimed(store, scope, call))) await claim(store, scope, await options.claim(), call)
  const routing = await openRouting(options, { ...base, hub }, call)
  if (routing) {
    const { traffic } = routing
    metrics.watchRequests(() => requestFigures(traffic.figures, traffic.inForce))
  }
  const leavingFor = (provider: string): Leaving => ({
    routedOut: (ref, replica, graceMs, during) =>
      routing?.traffic.routedOut(ref, replica, graceMs, during) ?? leaveAtOnce.routedOut(ref, replica, graceMs, during),
    logsKept: (ref, replica, during) => recordings.collector.logsKept(provider, ref, replica, during),
  })
  const making = {
    ...base,
    store: keeping.watch(store),
    hub,
    vault,
    events,
    leavingFor,
    ...(routing && { traffic: routing.traffic }),
  }
  const controllers = options.controllers ?? (await makeTrue(options, making, call))
  if (routing) parts.add('edge', routing.ready)
  if (controllers) parts.add('controllers', controllers.ready)
  await app.ready()
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    streams.close()
    await app.close()
    stopping.abort(new Fault('shutting_down', 'The server is stopping'))
    if (controllers) await controllers.stop(never)
    await routing?.stop()
    await recordings.stop()
    await hub.close(never)
    for (const part of [events, lastUsed, strangers]) await part.flush(never).catch((error) => lostLast(base, error))
    await store.close()
  }
  return { store, app, stop: () => (stopped ??= stop()) }
}

type Making = Base & Pick<ControllersOptions, 'hub' | 'vault' | 'events' | 'leavingFor' | 'traffic'>

async function makeTrue(options: ControlPlaneOptions, making: Making, call: Call): Promise<Controllers> {
  const { store, scope, metrics, log } = making
  const controllers = await startControllers(
    {
      ...making,
      random: Math.random,
      installation: await installationOf(store, scope, call),
      factories: options.providers,
      // One process holds the folder of an SQLite database, so there is nobody to share with.
      shared: !options.database.startsWith('sqlite:'),
      onTrouble: ({ reason, message, detail }) =>
        log.warn(message, { reason, ...(detail !== undefined && { detail }) }),
    },
    call,
  )
  for (const [name, read] of controllers.queues) metrics.watchQueue(name, read)
  return controllers
}

const itself: Identity = { name: 'control-plane', grants: [{ role: 'system' }] }

function lostLast({ log }: Base, error: unknown): void {
  log.warn('could not write the last of it while stopping', { reason: isFault(error) ? error.reason : 'unexpected' })
}

/** The streams of the API on the simulated engine, with a workload that runs: everything but the controllers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type Identity, type TenantRole, type WebSocketLike } from '@gantry/api'
import { type Call, Fault, Secret, systemClock } from '@gantry/core'
import type { Engine, Ref } from '@gantry/providers'
import { Kit, type SpecInput, simulatedHarness } from '@gantry/providers/testing'
import { openStore, type Store, systemScope } from '@gantry/store'
import { WebSocket } from 'ws'
import { createApp } from '../../app/app.ts'
import type { Routes } from '../../app/implement.ts'
import { httpLimits } from '../../app/limits.ts'
import { silent } from '../../app/log.ts'
import { Strangers } from '../../audit/strangers.ts'
import { bearerOf } from '../../auth/authenticate.ts'
import { instance, workload } from '../../controllers/testing/samples.ts'
import { openHub } from '../../engines/open-hub.ts'
import { OpenStreams } from '../../watch/open-streams.ts'
import { openRecordings } from '../recordings.ts'
import { streamRoutes } from '../routes.ts'

export const call: Call = { signal: new AbortController().signal }
export const secretValue = 'canary-0123456789'

export type StreamServer = AsyncDisposable & {
  readonly address: string
  readonly store: Store
  readonly kit: Kit
  readonly ref: Ref
  /** With a token of its own kind: the role itself. */
  as(role: TenantRole, tenant?: string): Client
  token(role: TenantRole, tenant?: string): string
  /** From now on this token is nobody's. */
  revoke(token: string): void
}

const workloadUid = 'uid-of-web'

/** `spec`: of what runs. `wrap`: around what the hub sees and hands out. */
export async function streamServer(
  spec: (kit: Kit) => SpecInput,
  wrap: (engine: Engine) => Engine = (engine) => engine,
): Promise<StreamServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-streams-'))
  const harness = await simulatedHarness({ clock: systemClock })
  const kit = new Kit(harness)
  const scope = systemScope()
  const store = await openStore({ database: 'sqlite::memory:', clock: systemClock }, call)
  const base = { store, scope, clock: systemClock, log: silent }
  const hub = openHub(systemClock)
  const secretsOf = async (): Promise<Secret[]> => [new Secret(secretValue)]
  const limits = { flushMs: 1, holdMs: 20 }
  const recordings = await openRecordings({ data: folder, hub, secretsOf, clock: systemClock, log: silent, limits })
  await hub.keep('here', { engine: wrap(harness.engine) }, call)

  const revoked = new Set<string>()
  const authenticate = async (credentials: Parameters<typeof bearerOf>[0]): Promise<Identity> => {
    const token = bearerOf(credentials)
    if (token === undefined) throw new Fault('not_signed_in', 'Nobody is signed in')
    if (revoked.has(token)) throw new Fault('token_unknown', 'The token is not known')
    const [role, tenant] = token.split('.')
    return { name: `token:${role}`, grants: [{ role: role as TenantRole, tenant: tenant ?? '' }] }
  }
  const streams = new OpenStreams(systemClock, 20)
  const stopping = new AbortController()
  const app = createApp({ streams: streamRoutes({ ...base, hub, ...recordings }) } as unknown as Routes, {
    ...base,
    limits: { ...httpLimits, stalledMs: 2000 },
    authenticate,
    strangers: new Strangers(base),
    streams,
    stopping: stopping.signal,
    metrics: { answered: () => undefined },
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })

  const ref: Ref = { tenant: 'shop', workload: 'web', uid: workloadUid, slot: 'a' }
  const wanted = spec(kit)
  const { spec: asked } = workload(wanted)
  const made = instance('a', {}, { uid: workloadUid, provider: 'here' })
  await store.write(
    scope,
    [
      { op: 'create', draft: { key: { kind: 'Tenant', name: 'shop' }, spec: {} } },
      {
        op: 'create',
        draft: { key: { kind: 'Workload', tenant: 'shop', name: 'web' }, spec: asked, uid: workloadUid },
      },
      { op: 'create', draft: { key: { kind: 'Instance', tenant: 'shop', name: 'web-a' }, spec: made.spec } },
    ],
    {},
    call,
  )
  await kit.provision(wanted, ref)

  const token = (role: TenantRole, tenant = 'shop'): string => `${role}.${tenant}.${'x'.repeat(20)}`
  return {
    address,
    store,
    kit,
    ref,
    token,
    as: (role, tenant) =>
      createClient({
        server: address,
        token: token(role, tenant),
        webSocket: (url, protocols) => new WebSocket(url, protocols) as unknown as WebSocketLike,
      }),
    revoke: (text) => revoked.add(text),
    async [Symbol.asyncDispose]() {
      streams.close()
      await app.close()
      stopping.abort(new Fault('shutting_down', 'over'))
      await recordings.stop()
      await hub.close(call)
      await kit.close()
      await store.close()
      await harness.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

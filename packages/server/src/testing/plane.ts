/** A control plane on a database in memory, and callers of every role. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type TenantRole } from '@gantry/api'
import type { Call } from '@gantry/core'
import { type ControlPlane, createControlPlane } from '../control-plane.ts'
import type { ControlPlaneOptions } from '../control-plane-options.ts'
import { simulatedFactory } from '../providers/simulated-factory.ts'
import { keySource } from '../vault/key-source.ts'

export const call: Call = { signal: new AbortController().signal }

export type Caller = { readonly token: string; readonly client: Client }

export type Plane = ControlPlane & {
  as(tenant: string, role: TenantRole): Promise<Caller>
  system(): Promise<Caller>
  /** Any request at all; the body as text is sent as it is. */
  send(method: string, path: string, more?: Sending): Promise<Got>
  /** Where it listens, on a port of its own. */
  readonly address: string
  dispose(): Promise<void>
}

export type Sending = {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Got = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Answered }
export type Answered = Readonly<Record<string, unknown>> & { readonly kind?: string; readonly reason?: string }

export type PlaneOptions = Partial<Omit<ControlPlaneOptions, 'controllers'>> & {
  /** Left out: none. Tests of what is asked for shall not meet what is made of it. */
  readonly controllers?: boolean
}

export async function startPlane({ controllers = false, ...options }: PlaneOptions = {}): Promise<Plane> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-server-'))
  const plane = createControlPlane({
    database: 'sqlite::memory:',
    providers: { simulated: simulatedFactory() },
    edge: false,
    ...(!controllers && { controllers: false }),
    keys: keySource({ type: 'file', path: join(folder, 'master.key') }),
    rates: false,
    ...options,
  })
  const address = await plane.listen({ host: '127.0.0.1', port: 0 }, call)
  let made = 0
  const callerOf = (token: string): Caller => ({
    token,
    client: createClient({ server: 'http://gantry.internal', token, fetch: (url, init) => plane.fetch(url, init) }),
  })
  const name = (): string => {
    made += 1
    return `t${made}`
  }
  return {
    ...plane,
    address,
    as: async (tenant, role) =>
      callerOf((await plane.client.tenant(tenant).tokens.create({ name: name(), role })).token),
    system: async () => callerOf((await plane.client.tokens.create({ name: name() })).token),
    async send(method, path, { token, body, headers = {} } = {}) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const answer = await plane.fetch(`http://gantry.internal${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': type }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      // Lines of JSON are none: there may be none at all.
      const isJson = /\/(problem\+)?json\b/.test(answer.headers.get('content-type') ?? '')
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        json: isJson ? (JSON.parse(text) as Answered) : {},
      }
    },
    async dispose() {
      await plane.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const tenantOf = (name: string, quota: object = {}) =>
  ({ apiVersion: 'gantry/v1', kind: 'Tenant', metadata: { name }, spec: { quota } }) as const

export const workloadOf = (name: string, spec: object = {}, metadata: object = {}) =>
  ({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name, ...metadata },
    spec: { services: [{ name: 'web', image: 'app:1' }], ...spec },
  }) as const

export const secretOf = (name: string) =>
  ({ apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name }, spec: {} }) as const

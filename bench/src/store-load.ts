/** The objects that the store's benches write and list, and a store to do it on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call, GantryObject } from '@gantry/core'
import { openStore, type Store } from '@gantry/store'

export const kind = 'Workload'
export const tenant = 'bench'

/** About the size of a workload with one service, a kilobyte as JSON. */
export const specOf = (at: number): object => ({
  provider: 'local',
  type: 'deployment',
  replicas: 1 + (at % 5),
  run: 'running',
  services: [
    {
      name: 'web',
      role: 'main',
      image: `registry.example/team/app:1.${at}`,
      command: ['node', 'server.mjs'],
      env: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`SETTING_${n}`, `value ${n} of object ${at}`])),
      ports: [{ name: 'http', port: 8080, protocol: 'http' }],
      resources: { cpu: '250m', memory: '64Mi', pids: 200 },
      healthCheck: { http: { port: 'http', path: '/healthz' }, intervalSeconds: 2, timeoutSeconds: 1 },
    },
  ],
  restart: { policy: 'always', maxPerHour: 20 },
  strategy: { type: 'rolling', maxSurge: 1, maxUnavailable: 0, minReadySeconds: 2, progressDeadlineSeconds: 120 },
  stopGraceSeconds: 10,
})

export const nameOf = (at: number): string => `w-${String(at).padStart(7, '0')}`

/** The same as the store makes of it: for who writes the rows without one. */
export function objectOf(at: number, spec: unknown = specOf(at)): GantryObject {
  return {
    apiVersion: 'gantry/v1',
    kind,
    metadata: {
      name: nameOf(at),
      tenant,
      uid: crypto.randomUUID(),
      labels: {},
      annotations: {},
      generation: 1,
      resourceVersion: at,
      ownerRefs: [],
      finalizers: [],
      createdAt: new Date().toISOString(),
    },
    spec,
    status: {},
  }
}

export type OpenBenchStore = { readonly store: Store; readonly close: () => Promise<void> }

export async function openBenchStore(call: Call): Promise<OpenBenchStore> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-store-'))
  const store = await openStore({ database: `sqlite:${join(folder, 'store.sqlite')}` }, call)
  return {
    store,
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

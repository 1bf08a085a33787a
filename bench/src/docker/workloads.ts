/** Workloads as the API is asked for them, and the moments that are waited for. */
import type { System } from '@gantry/server/testing'
import { argv, environmentOf, stopGraceSeconds } from './web.ts'

type Call = { readonly signal: AbortSignal }

export type WebService = {
  readonly name: string
  readonly port: number
  readonly says: string
  readonly role?: 'main' | 'sidecar'
  /** Starts when that one is healthy. */
  readonly after?: string
}

const base = { apiVersion: 'gantry/v1', kind: 'Workload' } as const

export function webWorkload(name: string, image: string, services: readonly WebService[]) {
  return {
    ...base,
    metadata: { name },
    spec: {
      provider: 'docker',
      replicas: 1,
      stopGraceSeconds,
      services: services.map(({ name, port, says, role = 'main', after }) => ({
        name,
        role,
        image,
        command: [...argv],
        env: environmentOf(port, says),
        ports: [{ name: 'http', port }],
        healthCheck: { http: { port: 'http', path: '/' } },
        ...(after !== undefined && { dependsOn: [{ service: after, until: 'healthy' as const }] }),
      })),
      strategy: { minReadySeconds: 0 },
    },
  }
}

/** Does nothing until it is killed, at once. */
export function idleWorkload(name: string, image: string) {
  return {
    ...base,
    metadata: { name },
    spec: {
      provider: 'docker',
      replicas: 1,
      stopGraceSeconds: 0,
      services: [{ name: 'idle', image }],
      strategy: { minReadySeconds: 0 },
    },
  }
}

type Asked = { readonly name: string; readonly generation: number; readonly since: number }

/** As it was asked for, the newest rollout over, and nothing left to be done. */
export async function becomesReady({ client }: System, asked: Asked, call: Call): Promise<void> {
  for await (const change of client.tenant('default').workloads.watch({ since: asked.since, ...call })) {
    if (change.type !== 'put' || change.object.metadata.name !== asked.name) continue
    const { conditions, readyReplicas, observedGeneration = 0, release, releases } = change.object.status
    const is = (type: string) => conditions?.find((condition) => condition.type === type)?.status
    if (observedGeneration < asked.generation || release !== releases || readyReplicas !== 1) continue
    if (is('Ready') === 'True' && is('Progressing') === 'False') return
  }
}

export async function goes({ client }: System, name: string, call: Call): Promise<void> {
  const { workloads } = client.tenant('default')
  const { metadata } = await workloads.delete(name, call)
  for await (const change of workloads.watch({ since: metadata.resourceVersion, ...call })) {
    if (change.type === 'gone' && change.object.metadata.name === name) return
  }
}

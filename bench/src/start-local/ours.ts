/** Ours: the whole program with its supervisor and edge, asked over its API as anybody would. */
import { type System, startSystem } from '@gantry/server/testing'
import { argv, environmentOf, healthPath, services } from './three.ts'

type Call = { readonly signal: AbortSignal }

export type Ours = {
  /** Milliseconds from the apply until it is seen to be ready; what was started is gone afterwards. */
  start(readyMs: number): Promise<number>
  close(): Promise<void>
}

export async function openOurs(call: Call): Promise<Ours> {
  const system = await startSystem()
  await system.start()
  let started = 0
  return {
    async start(readyMs) {
      const workload = threeServices(`three-${++started}`, readyMs)
      const from = performance.now()
      await becomesReady(system, workload, call)
      const ms = performance.now() - from
      await goes(system, workload.metadata.name, call)
      return ms
    },
    async close() {
      const left = await system.dispose()
      if (left.length > 0) throw new Error(`left over: ${left.join('; ')}`)
    },
  }
}

function threeServices(name: string, readyMs: number) {
  return {
    apiVersion: 'gantry/v1' as const,
    kind: 'Workload' as const,
    metadata: { name },
    spec: {
      replicas: 1,
      services: services.map(({ name: service, role }, at) => ({
        name: service,
        role,
        command: [...argv],
        env: environmentOf(readyMs),
        ports: [{ name: 'http', port: 8080 + at }],
        healthCheck: { http: { port: 'http', path: healthPath } },
      })),
      strategy: { minReadySeconds: 0 },
    },
  }
}

type Three = ReturnType<typeof threeServices>

async function becomesReady({ client }: System, workload: Three, { signal }: Call): Promise<void> {
  const { workloads } = client.tenant('default')
  const { metadata } = await workloads.put(workload, { signal })
  for await (const change of workloads.watch({ since: metadata.resourceVersion, signal })) {
    if (change.type !== 'put' || change.object.metadata.uid !== metadata.uid) continue
    const { conditions, readyReplicas } = change.object.status
    if (readyReplicas === 1 && conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return
  }
}

async function goes({ client }: System, name: string, { signal }: Call): Promise<void> {
  const { workloads } = client.tenant('default')
  const { metadata } = await workloads.delete(name, { signal })
  for await (const change of workloads.watch({ since: metadata.resourceVersion, signal })) {
    if (change.type === 'gone' && change.object.metadata.name === name) return
  }
}

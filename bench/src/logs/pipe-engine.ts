/** An engine whose replicas are pipes: nothing between a process and the collector but lines. */
import type { Socket } from 'node:net'
import type { Engine, EngineLog, Observation, Observed, Ref } from '@gantry/providers'
import type { EngineHub } from '@gantry/server'

export const ref: Ref = { tenant: 'bench', workload: 'noisy', uid: 'bench', slot: 'a' }

export function pipeHub(outputs: readonly Socket[]): Pick<EngineHub, 'engine' | 'subscribe'> {
  const engine: Pick<Engine, 'logs'> = { logs: (id) => linesOf(outputs[Number(id)] as Socket) }
  return {
    engine: () => engine as Engine,
    subscribe: (listener) => {
      listener('bench', {
        type: 'snapshot',
        instances: [instanceOf(outputs.length)],
        at: new Date(),
      } satisfies Observation)
      return () => undefined
    },
  }
}

/** As an engine that reads a pipe would: what came at once is told at once, and a cursor is a count of bytes. */
async function* linesOf(output: Socket): AsyncIterable<EngineLog> {
  let rest = Buffer.alloc(0)
  let told = 0
  for await (const chunk of output as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.lastIndexOf(0x0a) + 1
    rest = Buffer.from(bytes.subarray(whole))
    if (whole === 0) continue
    told += whole
    const text = bytes.toString('utf8', 0, whole)
    yield { type: 'lines', at: new Date(), stream: 'stdout', text, cursor: String(told) }
  }
}

function instanceOf(count: number): Observed {
  const service = { role: 'main', phase: 'running', ready: true, restarts: 0 } as const
  const replicas = Array.from({ length: count }, (_, index) => ({
    engineId: String(index),
    index,
    release: 'v1',
    specHash: '',
    ready: true,
    terminating: false,
    services: { web: service },
    endpoints: [],
  }))
  return { ref, replicas, endpoints: [], drift: [], notEnforced: [], at: new Date() }
}

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

async function* linesOf(output: Socket): AsyncGenerator<EngineLog> {
  let rest = ''
  let cursor = 0
  for await (const chunk of output as AsyncIterable<Buffer>) {
    const at = new Date()
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      cursor += 1
      yield { type: 'line', at, stream: 'stdout', line, cursor: String(cursor) }
    }
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

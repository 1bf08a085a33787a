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

/** By hand, since a generator costs as much for each line as storing it does. */
function linesOf(output: Socket): AsyncIterable<EngineLog> {
  const chunks = (output as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let lines: string[] = []
  let next = 0
  let rest = ''
  let cursor = 0
  let at = new Date()
  const read = (): Promise<IteratorResult<EngineLog, undefined>> => {
    const line = lines[next]
    if (line === undefined) return refill()
    next += 1
    cursor += 1
    return Promise.resolve({ value: { type: 'line', at, stream: 'stdout', line, cursor: String(cursor) } })
  }
  const refill = async (): Promise<IteratorResult<EngineLog, undefined>> => {
    const { done, value } = await chunks.next()
    if (done) return { done, value: undefined }
    at = new Date()
    lines = (rest + value.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    next = 0
    return await read()
  }
  return { [Symbol.asyncIterator]: () => ({ next: read }) }
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

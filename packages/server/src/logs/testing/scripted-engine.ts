/** An engine that has nothing but logs, and writes, breaks and forgets them as a test says. */
import { type Call, Fault, onAbort } from '@gantry/core'
import type { Engine, EngineLog, LogFrom, LogStream, Observation, Observed, Ref, Replica } from '@gantry/providers'
import type { EngineHub } from '../../engines/engine-hub.ts'
import { shop } from './store.ts'

export const ref: Ref = { ...shop, workload: 'web', slot: 'a' }

export class ScriptedEngine {
  readonly #logs = new Map<string, EngineLog[]>()
  readonly #gone = new Set<string>()
  readonly #listeners = new Set<(provider: string, seen: Observation) => void>()
  readonly #readers = new Set<() => void>()
  /** How often each was asked, with which cursor. */
  readonly asked: (string | undefined)[] = []
  isReachable = true
  #time = 0

  readonly hub: Pick<EngineHub, 'engine' | 'subscribe'> = {
    engine: () => this.engine,
    subscribe: (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    },
  }

  readonly engine = { logs: (id, service, from, call) => this.#read(id, service, from, call) } as Pick<
    Engine,
    'logs'
  > as Engine

  write(engineId: string, line: string, stream: LogStream = 'stdout'): void {
    const log = this.#logs.get(engineId) ?? []
    this.#logs.set(engineId, log)
    log.push({ type: 'lines', at: new Date(this.#time++), stream, text: `${line}\n`, cursor: String(log.length + 1) })
    this.#wake()
  }

  /** Whoever reads is thrown out; nobody gets in before `isReachable` again. */
  cut(): void {
    this.isReachable = false
    this.#wake()
  }

  /** What is seen now: these replicas, all of one instance. */
  show(...engineIds: string[]): void {
    const instance: Observed = {
      ref,
      replicas: engineIds.map(replicaOf),
      endpoints: [],
      drift: [],
      notEnforced: [],
      at: new Date(0),
    }
    for (const listener of this.#listeners) {
      listener('p', { type: 'snapshot', instances: engineIds.length > 0 ? [instance] : [], at: new Date(0) })
    }
  }

  /** Removed from the engine, with its logs. */
  remove(engineId: string): void {
    this.#gone.add(engineId)
    this.#wake()
  }

  #wake(): void {
    for (const wake of [...this.#readers]) wake()
  }

  async *#read(id: string, _service: string, { cursor, follow }: LogFrom, call: Call): AsyncIterable<EngineLog> {
    this.asked.push(cursor)
    if (!this.isReachable) throw new Fault('engine_unreachable', 'The scripted engine is cut off')
    if (this.#gone.has(id)) throw new Fault('replica_not_found', `There is no replica ${id}`)
    for (let next = Number(cursor ?? 0); ; next += 1) {
      for (;;) {
        call.signal.throwIfAborted()
        if (!this.isReachable) throw new Fault('engine_unreachable', 'The scripted engine is cut off')
        if (next < (this.#logs.get(id)?.length ?? 0)) break
        if (!follow || this.#gone.has(id)) return
        await this.#more(call)
      }
      yield this.#logs.get(id)?.[next] as EngineLog
    }
  }

  async #more({ signal }: Call): Promise<void> {
    let leave = (): void => undefined
    await new Promise<void>((resolve) => {
      this.#readers.add(resolve)
      leave = onAbort(signal, resolve)
    }).finally(() => leave())
    this.#readers.clear()
  }
}

export function replicaOf(engineId: string): Replica {
  const web = { role: 'main', phase: 'running', ready: true, restarts: 0 } as const
  const about = { release: 'v1', specHash: '', ready: true, terminating: false, endpoints: [] }
  return { engineId, index: Number(engineId.at(-1)), ...about, services: { web } }
}

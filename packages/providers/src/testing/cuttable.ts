/** Cuts an engine off by wrapping it: every call fails, who watches or reads is told, and what it runs goes on. */
import { type Call, type Clock, joinSignals, orAbort } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { EngineLog } from '../log-line.ts'
import type { Observation } from '../observed.ts'
import { overlay } from '../overlay.ts'
import { lost, troubled } from './faults.ts'

export type Cuttable = { readonly engine: Engine; cut(): void; heal(): void }

export function cuttable(engine: Engine, clock: Clock): Cuttable {
  const line = new Line()
  const answering = troubled(engine, clock, () => (line.up ? undefined : { do: 'fail_before' }))
  const { logs } = engine
  const wrapped = overlay(answering, {
    observe: (call) => watched(engine, line, clock, call),
    ...(logs
      ? {
          logs: (id, service, from, call) => read(line, (within) => logs.call(engine, id, service, from, within), call),
        }
      : {}),
  })
  return { engine: wrapped, cut: () => line.cut(), heal: () => line.heal() }
}

/** The connection: a signal that ends when it is cut, and a promise that resolves when it is back. */
class Line {
  #broken = new AbortController()
  #back: Promise<void> = Promise.resolve()
  #restore: () => void = () => undefined

  get up(): boolean {
    return !this.#broken.signal.aborted
  }

  get signal(): AbortSignal {
    return this.#broken.signal
  }

  get back(): Promise<void> {
    return this.#back
  }

  cut(): void {
    if (!this.up) return
    this.#back = new Promise((resolve) => {
      this.#restore = resolve
    })
    this.#broken.abort(lost('the connection'))
  }

  heal(): void {
    if (this.up) return
    this.#broken = new AbortController()
    this.#restore()
  }
}

async function* watched(engine: Engine, line: Line, clock: Clock, call: Call): AsyncIterable<Observation> {
  for (;;) {
    call.signal.throwIfAborted()
    const { signal } = line
    const joined = joinSignals(call.signal, signal)
    try {
      if (line.up) yield* engine.observe(joined)
    } catch (error) {
      if (error !== signal.reason) throw error
    } finally {
      joined.clear()
    }
    if (line.up) return
    yield { type: 'blind', fault: lost('observe'), at: new Date(clock.now()) }
    await orAbort(line.back, call)
  }
}

async function* read(
  line: Line,
  open: (within: Call) => AsyncIterable<EngineLog>,
  call: Call,
): AsyncIterable<EngineLog> {
  line.signal.throwIfAborted()
  const joined = joinSignals(call.signal, line.signal)
  try {
    yield* open(joined)
  } finally {
    joined.clear()
  }
}

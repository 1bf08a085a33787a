/** Cuts a supervisor off by wrapping it: every call fails, who watches is told, and what it looks after goes on. */
import { type Call, Fault, joinSignals } from '@gantry/core'
import type { Supervisor } from '../local/supervisor/supervisor.ts'
import { overlay } from '../overlay.ts'

export type CutSupervisor = { readonly supervisor: Supervisor; cut(): void; heal(): void }

export function cutSupervisor(behind: Supervisor): CutSupervisor {
  let broken = new AbortController()
  const lost = (): Fault => new Fault('engine_unreachable', 'The supervisor cannot be reached: the line was cut')

  const through =
    <A extends unknown[], R>(work: (...all: [...A, Call]) => Promise<R>) =>
    async (...all: [...A, Call]): Promise<R> => {
      broken.signal.throwIfAborted()
      return await work(...all)
    }

  async function* streaming<T>(open: (within: Call) => AsyncIterable<T>, call: Call): AsyncIterable<T> {
    const { signal } = broken
    signal.throwIfAborted()
    const joined = joinSignals(call.signal, signal)
    try {
      yield* open(joined)
    } finally {
      joined.clear()
    }
  }

  const supervisor = overlay(behind, {
    info: through((call) => behind.info(call)),
    ensure: through((spec, call) => behind.ensure(spec, call)),
    start: through((id, call) => behind.start(id, call)),
    stop: through((id, options, call) => behind.stop(id, options, call)),
    remove: through((id, call) => behind.remove(id, call)),
    look: through((id, call) => behind.look(id, call)),
    list: through((labels, call) => behind.list(labels, call)),
    usage: through((ids, call) => behind.usage(ids, call)),
    exec: through((id, request, call) => behind.exec(id, request, call)),
    watch: (call) => streaming((within) => behind.watch(within), call),
    output: (id, from, call) => streaming((within) => behind.output(id, from, within), call),
  })
  return {
    supervisor,
    cut: () => broken.abort(lost()),
    heal() {
      if (broken.signal.aborted) broken = new AbortController()
    },
  }
}

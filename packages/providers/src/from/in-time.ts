/** Every single question to an engine has a deadline of its own: one that never answers must not hold anybody for ever. */
import { type Call, type Clock, Fault, joinSignals, withDeadline } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { ExecSession } from '../exec.ts'
import { overlay } from '../overlay.ts'
import { bounded } from './bounded.ts'

/** Passes are left out: whoever repeats them has a deadline for the whole. */
export function inTime(engine: Engine, clock: Clock, timeoutMs: number): Engine {
  const { exec, usage, capacity, resolveImage } = engine

  async function asked<T>(what: string, work: (call: Call) => Promise<T>, call: Call): Promise<T> {
    const deadline = withDeadline(clock, timeoutMs, `${what} ${engine.type}`, call)
    try {
      return await bounded(work, deadline)
    } finally {
      deadline.clear()
    }
  }

  /** The deadline is for the opening; what was opened goes on for as long as the caller stays. */
  async function opened(work: (call: Call) => Promise<ExecSession>, call: Call): Promise<ExecSession> {
    const late = new AbortController()
    const message = `Opening a session on ${engine.type} took longer than ${timeoutMs} ms`
    const cancel = clock.after(timeoutMs, () => late.abort(new Fault('deadline_exceeded', message)))
    const joined = joinSignals(call.signal, late.signal)
    try {
      const session = await bounded(work, joined)
      void session.exit.then(joined.clear, joined.clear)
      return session
    } catch (error) {
      joined.clear()
      throw error
    } finally {
      cancel()
    }
  }

  return overlay(engine, {
    info: (call) => asked('Asking', (within) => engine.info(within), call),
    look: (ref, call) => asked('Looking at', (within) => engine.look(ref, within), call),
    ...(usage ? { usage: (ref, call) => asked('Measuring', (within) => usage.call(engine, ref, within), call) } : {}),
    ...(capacity ? { capacity: (call) => asked('Measuring', (within) => capacity.call(engine, within), call) } : {}),
    ...(resolveImage
      ? {
          resolveImage: (wanted, call) =>
            asked('Looking up an image on', (within) => resolveImage.call(engine, wanted, within), call),
        }
      : {}),
    ...(exec
      ? {
          exec: (id, service, request, call) =>
            opened((within) => exec.call(engine, id, service, request, within), call),
        }
      : {}),
  })
}

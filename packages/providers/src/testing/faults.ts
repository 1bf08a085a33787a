/** Breaks an engine by wrapping it: what fails, fails in between, and the engine behind is the real one. */
import { type Call, type Clock, Fault, orAbort, sleep } from '@gantry/core'
import type { Engine } from '../engine.ts'
import { overlay } from '../overlay.ts'

/** The methods of an engine that answer with a promise, and so can be held up. */
export type Breakable = 'info' | 'converge' | 'remove' | 'look' | 'exec' | 'usage'

export type Trouble =
  /** The engine never hears of it. */
  | { readonly do: 'fail_before'; readonly fault?: Fault }
  /** The engine did it, and the answer was lost. */
  | { readonly do: 'fail_after'; readonly fault?: Fault }
  /** No answer ever, until the caller gives up. */
  | { readonly do: 'hang' }
  | { readonly do: 'slow'; readonly ms: number }

/** Asked at every call, with how often this method was called before; `undefined`: no trouble this time. */
export type Script = (method: Breakable, earlier: number) => Trouble | undefined | Promise<Trouble | undefined>

export function troubled(engine: Engine, clock: Clock, script: Script): Engine {
  const calls = new Map<Breakable, number>()

  async function through<T>(method: Breakable, call: Call, work: () => Promise<T>): Promise<T> {
    const earlier = calls.get(method) ?? 0
    calls.set(method, earlier + 1)
    const trouble = await script(method, earlier)
    switch (trouble?.do) {
      case undefined:
        return await work()
      case 'fail_before':
        throw trouble.fault ?? lost(method)
      case 'fail_after':
        await work()
        throw trouble.fault ?? lost(method)
      case 'hang':
        return await orAbort(new Promise<never>(() => undefined), call)
      case 'slow':
        await sleep(clock, trouble.ms, call)
        return await work()
      default:
        return trouble satisfies never
    }
  }
  const { exec, usage } = engine
  return overlay(engine, {
    info: (call) => through('info', call, () => engine.info(call)),
    converge: (desired, call) => through('converge', call, () => engine.converge(desired, call)),
    remove: (ref, options, call) => through('remove', call, () => engine.remove(ref, options, call)),
    look: (ref, call) => through('look', call, () => engine.look(ref, call)),
    ...(exec
      ? {
          exec: (id, service, request, call) =>
            through('exec', call, () => exec.call(engine, id, service, request, call)),
        }
      : {}),
    ...(usage ? { usage: (ref, call) => through('usage', call, () => usage.call(engine, ref, call)) } : {}),
  })
}

export const lost = (method: string): Fault =>
  new Fault('engine_unreachable', `The connection to the engine was lost during ${method}`)

/** Trouble on the n-th call (from 0) of a method, and on no other. */
export const onCall =
  (method: Breakable, nth: number, trouble: Trouble): Script =>
  (called, earlier) =>
    called === method && earlier === nth ? trouble : undefined

/** Trouble on every call of these methods. */
export const always =
  (methods: readonly Breakable[], trouble: Trouble): Script =>
  (called) =>
    methods.includes(called) ? trouble : undefined

/** Breaks things by wrapping the real interface: any method can fail before its effect, after it, or hang. */
import { Fault, orAbort } from '@gantry/core'

export type Mishap = 'fails before' | 'fails after' | 'hangs'

/** Asks `next` before each call; undefined: the call goes through. A hang lasts until the call's own signal ends. */
export function breaking<T extends object>(target: T, next: (method: string) => Mishap | undefined): T {
  return new Proxy(target, {
    get(wrapped, property) {
      const method: unknown = Reflect.get(wrapped, property, wrapped)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]): Promise<unknown> => {
        const mishap = next(String(property))
        if (mishap === 'hangs') await hang(args.at(-1))
        if (mishap === 'fails before')
          throw new Fault('engine_unreachable', `scripted: ${String(property)} fails before`)
        const answer: unknown = await method.apply(wrapped, args)
        if (mishap === 'fails after') throw new Fault('engine_unreachable', `scripted: ${String(property)} fails after`)
        return answer
      }
    },
  })
}

function hang(last: unknown): Promise<never> {
  if (!hasSignal(last)) throw new TypeError('the last argument has no signal: nothing could end this wait')
  return orAbort(new Promise<never>(() => undefined), last)
}

function hasSignal(value: unknown): value is { readonly signal: AbortSignal } {
  return typeof value === 'object' && value !== null && 'signal' in value && value.signal instanceof AbortSignal
}

/** Waiting for what only news of an instance can decide. */
import { type Call, orAbort } from '@gantry/core'
import { type Ref, refKey } from '../ref.ts'
import type { TendedSite } from './tended-site.ts'

/** Looks at once, and whenever something is heard of it. `undefined`: not decided yet. Throws the fault of a loss. */
export async function decided<T>(
  site: Pick<TendedSite, 'listen'>,
  ref: Ref,
  look: () => { readonly is: T } | undefined,
  call: Call,
): Promise<T> {
  let leave = (): void => undefined
  const decision = new Promise<T>((resolve, reject) => {
    const decide = (): void => {
      const found = look()
      if (found) resolve(found.is)
    }
    leave = site.listen((event) => {
      if (event.type === 'lost') reject(event.fault)
      else if (event.type === 'found' || refKey(event.ref) === refKey(ref)) decide()
    })
    decide()
  })
  try {
    return await orAbort(decision, call)
  } finally {
    leave()
  }
}

/** A promise that is settled from outside. */
export type Settler<T> = { readonly promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void }

/** A failure that nobody waits for is no failure that nobody handles: there are several, and one of them is waited for. */
export function settler<T>(): Settler<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => undefined)
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) }
}

/** A promise and what settles it; `Promise.withResolvers` is not in every runtime that this has to run in. */
export type Deferred<T> = {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
}

/** Whoever never waits for it has not to answer for its failure. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<T>((onDone, onFailed) => {
    resolve = onDone
    reject = onFailed
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

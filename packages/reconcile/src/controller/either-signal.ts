/** Ends with whichever of two signals ends first. Not `AbortSignal.any`, which leaves a trace on long-lived signals. */

export type EitherSignal = {
  readonly signal: AbortSignal
  /** Takes the listeners back; to be called in `finally`. */
  readonly clear: () => void
}

export function eitherSignal(one: AbortSignal, other: AbortSignal | undefined): EitherSignal {
  if (!other) return { signal: one, clear: () => undefined }
  const own = new AbortController()
  const end = (): void => own.abort(one.aborted ? one.reason : other.reason)
  for (const source of [one, other]) {
    if (source.aborted) end()
    else source.addEventListener('abort', end, { once: true })
  }
  const clear = (): void => {
    for (const source of [one, other]) source.removeEventListener('abort', end)
  }
  return { signal: own.signal, clear }
}

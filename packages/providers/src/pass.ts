/** How one pass over an engine ended. A yield is not an error: not yet, come back. */
export type Pass =
  | { readonly state: 'done' }
  | { readonly state: 'yield' /** Read as "waiting for …". */; readonly reason: string; readonly afterMs: number }

export const done: Pass = { state: 'done' }

export const waitFor = (reason: string, afterMs: number): Pass => ({ state: 'yield', reason, afterMs })

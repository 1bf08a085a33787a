/** What a bench and the process that plays its kubelets say to each other. */

/** Restarts pods in turn, so many a second. */
export type Patch = { readonly forMs: number; readonly perSecond: number }

/** One restart: when the cluster had taken it, by the clock that all processes of a machine share, in microseconds. */
export type Restarted = { readonly uid: string; readonly restarts: number; readonly at: number }

/** `tookMs`: from the first to the last question, which says whether they were as many a second as was asked. */
export type Patched = { readonly restarted: readonly Restarted[]; readonly tookMs: number }

export type Said = { readonly type: 'ready' } | ({ readonly type: 'patched' } & Patched)

/** Of the machine, not of a process. */
export const sharedMicros = (): number => Number(process.hrtime.bigint() / 1000n)

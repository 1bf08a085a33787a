/** What the bench says to its two other processes, and what they answer. */

/** The server: where it is, and what it holds in memory after a collection. */
export type FromServer =
  | { readonly type: 'listening'; readonly address: string; readonly token: string }
  | { readonly type: 'memory'; readonly bytes: number }
export type ToServer = { readonly type: 'measure' }

/** The watchers: that all of them watch, and when each of them had seen the change that was asked about. */
export type FromWatchers =
  | { readonly type: 'watching' }
  | { readonly type: 'seen'; readonly generation: number; readonly at: readonly number[] }
export type ToWatchers = { readonly type: 'expect'; readonly generation: number }

/** Milliseconds on the clock that all processes of one machine share, and that nobody sets. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6

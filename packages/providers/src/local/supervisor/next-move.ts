/** Pure: what is to be done next for a process, from what the journal says of it. */
import type { ProcessState } from './process-state.ts'

export type Move =
  | { readonly move: 'launch'; readonly again: boolean }
  /** End what lives of its tree. */
  | { readonly move: 'end' }
  | { readonly move: 'wait'; readonly until: number }
  /** Nothing, until something happens. */
  | { readonly move: 'rest' }

export function nextMove(state: ProcessState, now: number, hasSecrets: boolean): Move {
  if (state.ending) return { move: 'end' }
  if (state.main) return { move: 'rest' }
  // Its main process has ended: what it has left behind would hold on to its ports and files.
  if (state.group) return { move: 'end' }
  if (state.wanted === 'stopped') return { move: 'rest' }
  const { verdict } = state
  if (verdict?.outcome === 'ended' || verdict?.outcome === 'failed') return { move: 'rest' }
  if (verdict && now < verdict.at) return { move: 'wait', until: verdict.at }
  // Told as a problem once; whoever gives them wakes it.
  if (!hasSecrets && state.problem?.reason === 'secrets_missing') return { move: 'rest' }
  // What could not be started was not restarted: the attempt before has counted already.
  return { move: 'launch', again: verdict !== undefined && state.problem === undefined }
}

/** Pure: how far a word that names a kind has come: `wor`, `workloads,ro`, `workload/we`. */
import { type AnyFace, faces, findFace } from '@gantry/core'
import type { Suggestion } from './situation.ts'

export type KindWord =
  | { readonly words: readonly Suggestion[] }
  /** Names of this kind are wanted, each behind the prefix. */
  | { readonly face: AnyFace; readonly prefix: string }

export function kindWord(current: string): KindWord {
  const slash = current.indexOf('/')
  if (slash !== -1) {
    const face = findFace(current.slice(0, slash))
    return face ? { face, prefix: current.slice(0, slash + 1) } : { words: [] }
  }
  const before = current.slice(0, current.lastIndexOf(',') + 1)
  return { words: faces.map(({ plural, about }) => ({ value: before + plural, about })) }
}

/** The kind that an earlier word names; `workload/web` is one whose names come with their kind. */
export function earlierKind(word: string | undefined): AnyFace | undefined {
  return word === undefined || word.includes('/') || word.includes(',') ? undefined : findFace(word)
}

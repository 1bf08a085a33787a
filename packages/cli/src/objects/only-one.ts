/** Pure: the one object that a line is about: `workload web` or `workload/web`. */
import { type AnyFace, Fault } from '@gantry/core'
import { targetsOf } from './targets.ts'

export function onlyOne(words: readonly string[], line: string): { readonly face: AnyFace; readonly name: string } {
  const [target, ...others] = targetsOf(words)
  const [name, ...more] = target?.names ?? []
  if (target && name !== undefined && others.length === 0 && more.length === 0) return { face: target.face, name }
  const kind = target?.face.kind.toLowerCase() ?? 'KIND'
  throw new Fault('bad_request', `One object at a time: write "${line} ${kind}/NAME"`)
}

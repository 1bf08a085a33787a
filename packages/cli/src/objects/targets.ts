/** Pure: which objects the words of a line mean: `workload web`, `workload/web route/shop`, `workloads`, `wl,ro`. */
import { type AnyFace, Fault, faces, findFace, nearest } from '@gantry/core'

/** Without names: all of that kind. */
export type Target = { readonly face: AnyFace; readonly names: readonly string[] }

export function targetsOf(words: readonly string[]): Target[] {
  const [first = '', ...names] = words
  if (first.includes('/')) return joined(words.map(pair))
  const kinds = first.split(',').map(faceCalled)
  const stray = names.find((name) => name.includes('/'))
  if (stray !== undefined) {
    throw new Fault(
      'bad_request',
      `"${stray}" names a kind and so does "${first}"; write either "${first} NAME" or "KIND/NAME" everywhere`,
    )
  }
  return kinds.map((face) => ({ face, names: [...new Set(names)] }))
}

function pair(word: string): Target {
  const [kind = '', name = '', ...more] = word.split('/')
  if (kind === '' || name === '' || more.length > 0) {
    throw new Fault('bad_request', `"${word}" is no object: write KIND/NAME, as in workload/web`)
  }
  return { face: faceCalled(kind), names: [name] }
}

function joined(targets: readonly Target[]): Target[] {
  const byKind = new Map<AnyFace, string[]>()
  for (const { face, names } of targets) byKind.set(face, [...(byKind.get(face) ?? []), ...names])
  return [...byKind].map(([face, names]) => ({ face, names: [...new Set(names)] }))
}

export function faceCalled(word: string): AnyFace {
  const found = findFace(word)
  if (found) return found
  const names = faces.flatMap(({ plural, short }) => [plural, short])
  const guess = nearest(word, names)
  const hint =
    guess === undefined ? `there are ${faces.map(({ plural }) => plural).join(', ')}` : `did you mean "${guess}"?`
  throw new Fault('unknown_kind', `There is no kind ${JSON.stringify(word)}: ${hint}`)
}

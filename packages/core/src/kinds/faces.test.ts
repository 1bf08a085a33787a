import { describe, expect, it } from 'vitest'
import { faces, findFace } from './faces.ts'
import { findKind, kinds } from './registry.ts'

describe('the faces of the kinds', () => {
  it('are those of the registry, in its order', () => {
    const fromKinds = Object.values(kinds).map(({ kind, plural, short, scope, madeBy, about, columns }) => ({
      kind,
      plural,
      short,
      scope,
      madeBy,
      about,
      columns,
    }))
    expect(faces).toEqual(fromKinds)
  })

  it.each(['Workload', 'workloads', 'wl', 'WL', 'ro', 'instance', 'nothing'])(
    'find %s as the registry does',
    (word) => {
      expect(findFace(word)?.kind).toBe(findKind(word)?.kind)
    },
  )
})

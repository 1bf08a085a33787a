import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Grouped } from './grouped.ts'

const small = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  fc.record({ do: fc.constant('set'), id: small, group: small, value: fc.nat() }),
  fc.record({ do: fc.constant('delete'), id: small, group: small, value: fc.nat() }),
)

describe('values in groups', () => {
  it('are what looking through all of them would find, whatever was set and deleted', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const grouped = new Grouped<number>()
        const plain = new Map<string, { group: string; value: number }>()
        for (const { do: what, id, group, value } of steps) {
          if (what === 'set') {
            if (plain.get(id)?.group !== group) plain.delete(id)
            plain.set(id, { group, value })
            grouped.set(id, group, value)
          } else expect(grouped.delete(id)).toBe(plain.delete(id))
        }
        expect(grouped.size).toBe(plain.size)
        expect([...grouped.ids()]).toEqual([...plain.keys()])
        expect([...grouped.values()]).toEqual([...plain.values()].map(({ value }) => value))
        for (const name of ['a', 'b', 'c', 'none']) {
          const own = [...plain].filter(([, each]) => each.group === name)
          expect(grouped.idsOf(name).sort()).toEqual(own.map(([id]) => id).sort())
          expect(grouped.of(name).sort()).toEqual(own.map(([, { value }]) => value).sort())
          expect(grouped.get(name)).toBe(plain.get(name)?.value)
          expect(grouped.has(name)).toBe(plain.has(name))
        }
      }),
    )
  })

  it('are those of the moment for who asked, though they go meanwhile', () => {
    const grouped = new Grouped<number>()
    grouped.set('one', 'all', 1)
    grouped.set('two', 'all', 2)
    for (const id of grouped.idsOf('all')) grouped.delete(id)
    expect([grouped.size, grouped.of('all')]).toEqual([0, []])
  })
})

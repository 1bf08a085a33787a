import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameReader } from './frames.ts'

describe('frames', () => {
  it('come out whole and in order, however the bytes were cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        (values, cuts) => {
          const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
          const taken: unknown[] = []
          const read = frameReader(
            (frame) => taken.push(frame),
            (fault) => {
              throw fault
            },
          )
          for (let from = 0, at = 0; from < bytes.length; at += 1) {
            const size = cuts[at % cuts.length] ?? 1
            read(bytes.subarray(from, from + size))
            from += size
          }
          expect(JSON.stringify(taken)).toBe(JSON.stringify(values))
        },
      ),
    )
  })

  it('that are none are said so once, and nothing after them is taken', () => {
    const taken: unknown[] = []
    const faults: string[] = []
    const read = frameReader(
      (frame) => taken.push(frame),
      ({ reason }) => faults.push(reason),
    )
    read(Buffer.from('1\nno\n2\n'))
    read(Buffer.from('3\n'))
    expect([taken, faults]).toEqual([[1], ['bad_request']])
  })

  it('that do not end are not held for ever', () => {
    const faults: string[] = []
    const read = frameReader(
      () => undefined,
      ({ reason }) => faults.push(reason),
    )
    for (let each = 0; each < 20; each += 1) read(Buffer.alloc(1 << 20, 'x'))
    expect(faults).toEqual(['bad_request'])
  })
})

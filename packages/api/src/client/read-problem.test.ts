import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemSchema } from '../schemas/problem.ts'
import { readProblem } from './read-problem.ts'

const good = {
  type: 'urn:gantry:fault:object_not_found',
  title: 'There is no such thing',
  status: 404,
  detail: 'There is no workload "web"',
  kind: 'not_found',
  reason: 'object_not_found',
  issues: [{ path: 'spec.a', message: 'is wrong', line: 3 }],
  retryAfterMs: 5,
  requestId: 'r1',
}

describe('a problem that is read by hand', () => {
  it('is taken as it came, with what a newer server adds', () => {
    const newer = { ...good, hint: 'new' }
    expect(readProblem(newer)).toBe(newer)
  })

  it('is taken or refused exactly as the schema would', () => {
    const odd = fc.oneof(
      fc.constantFrom(undefined, null, -1, 0.5, 7, '', 'not_found', 'nothing', true),
      fc.constantFrom([], [{}], [{ path: 'a', message: 'b', line: 0.5 }], [{ path: 'a', message: 'b' }], {}),
    )
    const field = fc.constantFrom(...Object.keys(good), 'kind', 'issues')
    fc.assert(
      fc.property(field, odd, (name, value) => {
        const changed = { ...good, [name]: value }
        expect(readProblem(changed) !== undefined).toBe(problemSchema.safeParse(changed).success)
      }),
      { numRuns: 500 },
    )
  })
})

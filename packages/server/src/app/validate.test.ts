import { allEndpoints } from '@gantry/api'
import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { validatorsOf } from './validate.ts'

/** What is JSON, and an object for nobody. */
const strangers = [null, true, 0, 'text', [], [null]]

describe('a body that is no object', () => {
  const withBody = allEndpoints.filter(({ body }) => body !== undefined)

  it.each(withBody.map((endpoint) => [endpoint.operation, endpoint] as const))('is refused by %s', (_, endpoint) => {
    for (const stranger of strangers) {
      const { body } = validatorsOf(endpoint)
      const thrown = faultOf(() => body(stranger))
      expect(isFault(thrown, 'invalid') ? 'invalid' : thrown, JSON.stringify(stranger)).toBe('invalid')
      expect(String(thrown)).not.toMatch(/ {2}/)
    }
  })
})

function faultOf(work: () => unknown): unknown {
  try {
    return { taken: work() }
  } catch (error) {
    return error
  }
}

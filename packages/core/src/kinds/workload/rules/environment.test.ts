import { describe, expect, it } from 'vitest'
import { checkServices } from '../../../testing/check-workload.ts'

const secret = (more: object) => ({ name: 's', key: 'k', ...more })

describe('secrets of a service', () => {
  it.each<[string, object, [string, RegExp][]]>([
    ['told in the environment', { secrets: [secret({ env: 'A' })] }, []],
    ['told in a file', { secrets: [secret({ file: '/a' })] }, []],
    ['told in both', { secrets: [secret({ env: 'A', file: '/a' })] }, [['secrets[0]', /has both/]]],
    ['told nowhere', { secrets: [secret({})] }, [['secrets[0]', /has neither/]]],
    [
      'over a plain variable',
      { env: { A: '1' }, secrets: [secret({ env: 'A' })] },
      [['secrets[0].env', /A is set already/]],
    ],
    [
      'two in one variable',
      { secrets: [secret({ env: 'A' }), secret({ env: 'A' })] },
      [['secrets[1].env', /A is set already/]],
    ],
  ])('%s', (_, fields, issues) => {
    expect(checkServices({ name: 'web', ...fields })).toEqual(
      issues.map(([path, message]) => [`services[0].${path}`, expect.stringMatching(message)]),
    )
  })
})

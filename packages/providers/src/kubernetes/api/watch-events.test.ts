import { describe, expect, it } from 'vitest'
import { resources } from './resources.ts'
import { readEvent } from './watch-events.ts'

const read = (line: object, partial = false) =>
  readEvent(Buffer.from(JSON.stringify(line)), resources.deployment, partial, 'me')
const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', resourceVersion: '7' },
  spec: { unknown: [1] },
}

describe('a line of a watch', () => {
  it.each([
    ['ADDED', 'added'],
    ['MODIFIED', 'modified'],
    ['DELETED', 'deleted'],
  ])('%s is told with its whole object', (type, told) => {
    expect(read({ type, object })).toEqual({ type: told, object })
  })

  it('is a bookmark with a version', () => {
    const bookmark = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { resourceVersion: '12' } }
    expect(read({ type: 'BOOKMARK', object: bookmark })).toEqual({ type: 'bookmark', resourceVersion: '12' })
  })

  it('has its own kind where only metadata came', () => {
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }
    expect(read({ type: 'ADDED', object: partial }, true)).toEqual({
      type: 'added',
      object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } },
    })
  })

  it('is a fault where the server says so', () => {
    const status = {
      kind: 'Status',
      status: 'Failure',
      reason: 'Expired',
      code: 410,
      message: 'too old resource version',
    }
    expect(() => read({ type: 'ERROR', object: status })).toThrowError(
      expect.objectContaining({ reason: 'version_expired' }),
    )
    expect(() => read({ type: 'OTHER', object })).toThrowError(expect.objectContaining({ reason: 'bad_answer' }))
  })
})

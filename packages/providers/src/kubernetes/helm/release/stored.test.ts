import { gzipSync } from 'node:zlib'
import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { label } from '../../../labels.ts'
import { descriptionOf, knownRevision, madeOf } from './revisions.ts'
import {
  decodeRelease,
  encodeRelease,
  type HelmSecret,
  markedFailed,
  type ReleaseBody,
  secretNameOf,
} from './stored.ts'

const body: ReleaseBody = {
  name: 'web',
  namespace: 'acme',
  version: 2,
  info: { status: 'deployed', description: descriptionOf('r1', 'h1'), last_deployed: '2026-11-17T20:00:00.5Z' },
  chart: { metadata: { name: 'web', version: '1.2.3', appVersion: '9' } },
  config: { a: 1 },
  manifest: '---\nkind: ConfigMap\n',
  hooks: null,
}

const secret = (of: ReleaseBody, labels: Record<string, string> = {}): HelmSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: secretNameOf('web', of.version),
    namespace: 'acme',
    resourceVersion: '5',
    labels: { status: of.info.status, ...labels },
  },
  type: 'helm.sh/release.v1',
  data: { release: encodeRelease(of) },
})

describe('a revision in its Secret', () => {
  it('comes back as it was packed', () => {
    expect(decodeRelease(secret(body))).toEqual(body)
  })

  it('is what Helm packs: base64 of base64 of gzip', () => {
    const packed = Buffer.from(gzipSync(JSON.stringify(body)).toString('base64')).toString('base64')
    expect(decodeRelease({ ...secret(body), data: { release: packed } })).toEqual(body)
  })

  it.each(['', 'AAAA', Buffer.from('H4sIAAAA').toString('base64')])('that holds %j is told by name', (release) => {
    expect(() => decodeRelease({ ...secret(body), data: { release } })).toThrow(
      expect.toSatisfy((error) => isFault(error) && error.message.includes('acme/sh.helm.release.v1.web.v2')),
    )
  })

  it('is marked failed in its content and its labels, and otherwise stays as it is', () => {
    const pending = secret({ ...body, info: { ...body.info, status: 'pending-upgrade' } }, { mine: 'x' })
    const marked = markedFailed(pending, 'Interrupted', new Date(5_000))
    expect(marked.metadata).toMatchObject({
      resourceVersion: '5',
      labels: { status: 'failed', modifiedAt: '5', mine: 'x' },
    })
    expect(decodeRelease(marked)).toEqual({
      ...body,
      info: { ...body.info, status: 'failed', description: 'Interrupted' },
    })
  })
})

describe('which release of ours a revision is', () => {
  const marks = { [label.release]: 'r1', [label.specHash]: 'h1' }
  const ours = knownRevision(secret(body, marks))
  const other = (change: Partial<ReleaseBody>, description = 'Rollback to 2'): ReturnType<typeof knownRevision> =>
    knownRevision(secret({ ...body, version: 3, ...change, info: { ...body.info, description } }, marks))

  it('is told by its own mark', () => {
    expect(madeOf(ours, [ours])).toEqual({ release: 'r1', specHash: 'h1' })
    expect(ours).toMatchObject({ chart: 'web-1.2.3', appVersion: '9', updated: new Date('2026-11-17T20:00:00.500Z') })
  })

  it('is told by content where somebody rolled back to it', () => {
    const rolledBack = other({})
    expect(madeOf(rolledBack, [ours, rolledBack])).toEqual({ release: 'r1', specHash: 'h1' })
  })

  it.each<[string, Partial<ReleaseBody>]>([
    ['other values', { config: { a: 2 } }],
    ['another chart', { chart: { metadata: { name: 'web', version: '1.2.4' } } }],
    ['other objects', { manifest: '---\nkind: Secret\n' }],
  ])('is none with %s, though Helm copied our labels', (_title, change) => {
    const changed = other(change, 'Upgrade complete')
    expect(madeOf(changed, [ours, changed])).toBeUndefined()
  })

  it('is known from our record when Helm has forgotten it', () => {
    const rolledBack = other({})
    expect(madeOf(rolledBack, [rolledBack])).toBeUndefined()
    const known = { content: ours.content, release: 'r1', specHash: 'h1' }
    expect(madeOf(rolledBack, [rolledBack], known)).toEqual({ release: 'r1', specHash: 'h1' })
  })
})

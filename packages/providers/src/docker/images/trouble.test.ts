import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { nextTry, type PullTrouble, troubleOf } from './trouble.ts'

/** As engines were heard to say it. */
const rows: readonly [string, PullTrouble][] = [
  ['manifest for 127.0.0.1:5000/web:2 not found: manifest unknown: manifest unknown', 'absent'],
  ['name unknown: repository name not known to registry', 'absent'],
  ['Head "http://127.0.0.1:5000/v2/web/manifests/1": no basic auth credentials', 'denied'],
  ['unauthorized', 'denied'],
  ['unauthorized: authentication required', 'denied'],
  ['denied', 'denied'],
  ["pull access denied for web, repository does not exist or may require 'docker login'", 'denied'],
  ['toomanyrequests: slow down', 'limited'],
  ['no matching manifest for linux/arm64/v8 in the manifest list entries', 'platform'],
  ['invalid reference format: repository name must be lowercase', 'malformed'],
  ['Get "http://127.0.0.1:1/v2/": dial tcp 127.0.0.1:1: connect: connection refused', 'passing'],
  ['Get "https://nowhere.invalid/v2/": dial tcp: lookup nowhere.invalid on 10.0.0.1:53: no such host', 'passing'],
  ['received unexpected HTTP status: 503 Service Unavailable', 'passing'],
  ['unexpected EOF', 'passing'],
  ['Head "https://registry.example/v2/denied/manifests/1": EOF', 'passing'],
]

describe('a pull that failed', () => {
  it.each(rows)('for "%s" is one of kind %s', (words, trouble) => {
    expect(troubleOf(new Fault('image_pull_failed', `Image web could not be pulled: ${words}`))).toBe(trouble)
  })

  it('is not told by the name of its image', () => {
    const message = 'Image denied:unauthorized could not be pulled: unexpected EOF'
    expect(troubleOf(new Fault('image_pull_failed', message))).toBe('passing')
  })

  it('for a full disk, or for something that no registry said, is told by its reason', () => {
    expect(troubleOf(new Fault('engine_full', 'Image web could not be pulled: unauthorized'))).toBe('full')
    expect(troubleOf(new Fault('engine_object_not_found', 'it is gone'))).toBe('absent')
    expect(troubleOf(new Fault('deadline_exceeded', 'denied'))).toBe('passing')
    expect(troubleOf(new Error('denied'))).toBe('passing')
  })

  it('is told at once where another try would hardly help, and is tried later each time', () => {
    expect([1, 2, 3].map((failures) => nextTry('absent', failures))).toEqual([
      { afterMs: 10_000, isTold: true },
      { afterMs: 20_000, isTold: true },
      { afterMs: 40_000, isTold: true },
    ])
    expect(nextTry('absent', 1000).afterMs).toBe(300_000)
  })

  it('is told after some tries where it may pass', () => {
    expect([1, 2, 3].map((failures) => nextTry('passing', failures))).toEqual([
      { afterMs: 1_000, isTold: false },
      { afterMs: 2_000, isTold: false },
      { afterMs: 4_000, isTold: true },
    ])
  })
})

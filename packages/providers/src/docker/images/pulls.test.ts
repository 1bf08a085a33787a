import { Fault, isFault, onAbort } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PullOptions } from '../api/api.ts'
import type { Image } from '../api/types/images.ts'
import type { PullTarget } from './attempt.ts'
import { Pulls } from './pulls.ts'

const image: Image = {
  Id: `sha256:${'1'.repeat(64)}`,
  RepoTags: [],
  RepoDigests: [],
  Created: '',
  Size: 1,
  Architecture: 'amd64',
  Os: 'linux',
  Config: null,
}

/** One question to the engine, answered by the test. */
type Asked = {
  readonly reference: string
  readonly options: PullOptions
  readonly signal: AbortSignal
  readonly arrive: () => void
  readonly fail: (error: unknown) => void
}

const target: PullTarget = { image: 'web:1', pulled: 'web:1', meant: 'web:1', isExact: false }

describe('the pulls of an engine', () => {
  let clock: VirtualClock
  let asked: Asked[]
  let told: string[]
  let arrived: string[]
  let pulls: Pulls

  beforeEach(() => {
    clock = new VirtualClock()
    asked = []
    told = []
    arrived = []
    pulls = new Pulls({
      clock,
      settings: undefined,
      silentMs: 60_000,
      changed: (owner) => told.push(owner),
      arrived: (owner, key) => arrived.push(`${owner} ${key}`),
      images: {
        inspect: async () => image,
        distributed: async () => ({ Descriptor: { digest: image.Id }, Platforms: null }),
        pull: (reference, options, { signal }) =>
          new Promise((resolve, reject) => {
            onAbort(signal, () => reject(signal.reason))
            asked.push({ reference, options, signal, arrive: resolve, fail: reject })
          }),
      },
    })
  })

  const settle = () => clock.advance(0)
  const failure = (words: string) => new Fault('image_pull_failed', `Image web:1 could not be pulled: ${words}`)
  const last = (): Asked => {
    const found = asked.at(-1)
    if (!found) throw new Error('The engine was not asked')
    return found
  }

  it('are one for all who want the same', async () => {
    pulls.join('one', 'key', target)
    pulls.join('other', 'key', target)
    await settle()
    expect(asked).toHaveLength(1)
    expect(pulls.state('key')).toMatchObject({ state: 'pulling', message: 'pulling web:1: asking the registry' })
    last().arrive()
    await settle()
    expect(arrived).toEqual(['one key', 'other key'])
    expect(pulls.state('key')).toBeUndefined()
  })

  it('go on while somebody wants them, and end with the last who does', async () => {
    pulls.join('one', 'key', target)
    pulls.join('other', 'key', target)
    await settle()
    pulls.leave('one', 'key')
    expect(last().signal.aborted).toBe(false)
    pulls.leave('other', 'key')
    expect(last().signal.aborted).toBe(true)
    await settle()
    expect(pulls.state('key')).toBeUndefined()
    expect(arrived).toEqual([])
  })

  it('begin anew for who comes back after everybody had left', async () => {
    pulls.join('one', 'key', target)
    await settle()
    pulls.leave('one', 'key')
    pulls.join('one', 'key', target)
    await settle()
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
    last().arrive()
    await settle()
    expect(arrived).toEqual(['one key'])
  })

  it('tell how far they are, once a second at most', async () => {
    pulls.join('one', 'key', target)
    await settle()
    told.length = 0
    for (let current = 1; current <= 10; current += 1) {
      last().options.onProgress?.({
        id: 'a',
        status: 'Downloading',
        progressDetail: { current: current * 1e6, total: 48e6 },
      })
      await clock.advance(50)
    }
    expect(told).toEqual([])
    await clock.advance(1_000)
    expect(told).toEqual(['one'])
    expect(pulls.state('key')).toMatchObject({ message: 'pulling web:1: 10 of 48 MB, 0 of 1 layer' })
  })

  it('that meet a passing trouble try again, and say so in the end', async () => {
    pulls.join('one', 'key', target)
    for (const waitMs of [1_000, 2_000]) {
      await settle()
      last().fail(failure('connection refused'))
      await settle()
      expect(pulls.state('key')).toMatchObject({
        state: 'pulling',
        message: 'Image web:1 could not be pulled: connection refused; trying again',
      })
      await clock.advance(waitMs)
    }
    expect(asked).toHaveLength(3)
    last().fail(failure('connection refused'))
    await settle()
    expect(pulls.state('key')).toMatchObject({
      state: 'failed',
      reason: 'image_pull_failed',
      message: 'Image web:1 could not be pulled: connection refused',
      againAt: new Date(clock.now() + 4_000),
    })
  })

  it('that a registry refuses fail at once, and are tried again when it is time', async () => {
    pulls.join('one', 'key', target)
    await settle()
    last().fail(failure('manifest unknown'))
    await settle()
    expect(pulls.state('key')).toMatchObject({ state: 'failed', againAt: new Date(clock.now() + 10_000) })
    await clock.advance(9_000)
    pulls.join('one', 'key', target)
    await settle()
    expect(asked).toHaveLength(1)
    await clock.advance(1_000)
    pulls.join('one', 'key', target)
    await settle()
    expect(asked).toHaveLength(2)
    // Why the last one failed is not forgotten while another is tried.
    expect(pulls.state('key')).toMatchObject({ state: 'pulling', failed: { reason: 'image_pull_failed' } })
  })

  it('are tried at once for who comes anew', async () => {
    pulls.join('one', 'key', target)
    await settle()
    last().fail(failure('manifest unknown'))
    await settle()
    pulls.join('other', 'key', target)
    await settle()
    expect(asked).toHaveLength(2)
  })

  it('begin anew where the engine was lost, and blame no registry for it', async () => {
    pulls.join('one', 'key', target)
    await settle()
    last().fail(new Fault('engine_unreachable', 'Docker does not answer'))
    await settle()
    expect(pulls.state('key')).toMatchObject({ state: 'pulling' })
    expect(asked).toHaveLength(1)
    pulls.join('one', 'key', target)
    await settle()
    expect(asked).toHaveLength(2)
  })

  it('end where nothing is heard of them for long, and not while something is', async () => {
    pulls.join('one', 'key', target)
    await clock.advance(50_000)
    last().options.onProgress?.({ id: 'a', status: 'Waiting' })
    await clock.advance(50_000)
    expect(last().signal.aborted).toBe(false)
    await clock.advance(10_000)
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(pulls.state('key')).toMatchObject({
      message: 'Image web:1 could not be pulled: nothing was heard of it for 60 s; trying again',
    })
  })

  it('say what can be done where a login is wanted', async () => {
    pulls.join('one', 'key', target)
    await settle()
    last().fail(failure('no basic auth credentials'))
    await settle()
    expect(pulls.state('key')).toMatchObject({
      message:
        'Image web:1 could not be pulled: no basic auth credentials; name a Secret with a login in imagePullSecret',
    })
  })

  it('end when the engine is let go, and none begins after that', async () => {
    pulls.join('one', 'key', target)
    await settle()
    await pulls.close()
    expect(last().signal.aborted).toBe(true)
    expect(() => pulls.join('one', 'key', target)).toThrow(expect.toSatisfy((error) => isFault(error, 'unavailable')))
  })
})

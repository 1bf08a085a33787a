import type { Condition } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { AnyObject } from '../access.ts'
import type { Followed } from '../follow.ts'
import { faceCalled } from '../targets.ts'
import { goalOf, goalWords, judge } from './goal.ts'
import { Tracker } from './tracker.ts'

const now = Date.parse('2026-01-31T12:00:00Z')
const since = new Date(now - 5000).toISOString()

type Made = {
  readonly name?: string
  readonly uid?: string
  readonly ready?: Condition['status']
  readonly observed?: number
  readonly more?: object
}

function workload({ name = 'web', uid = 'u1', ready, observed = 2, more = {} }: Made = {}): AnyObject {
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready, reason: 'r', message: 'why', since }]
  return {
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: {
      name,
      tenant: 'default',
      uid,
      labels: {},
      annotations: {},
      generation: 2,
      resourceVersion: 7,
      ownerRefs: [],
      finalizers: ['gantry.dev/engine'],
      createdAt: since,
      ...more,
    },
    spec: { replicas: 3 },
    status: { observedGeneration: observed, conditions, state: 'running' },
  }
}

describe('what can be waited for', () => {
  it.each([
    ['delete', 'it to be gone'],
    ['condition=Ready', 'condition Ready to be True'],
    ['condition=ready=false', 'condition Ready to be False'],
    ['condition=Degraded=Unknown', 'condition Degraded to be Unknown'],
    ['status.state=running', 'status.state to be running'],
    ['metadata.labels.team=a=b', 'metadata.labels.team to be a=b'],
  ])('%s', (text, words) => {
    expect(goalWords(goalOf(text))).toBe(words)
  })

  it.each([
    ['Ready', 'cannot be waited for'],
    ['condition', 'cannot be waited for'],
    ['condition=', 'Which condition?'],
    ['condition=Redy', 'did you mean "Ready"?'],
    ['condition=Ready=yes', 'True, False or Unknown, and never "yes"'],
    ['state=running', 'cannot be waited for'],
    ['jsonpath={.status.state}=running', 'cannot be waited for'],
  ])('is not %s', (text, words) => {
    expect(() => goalOf(text)).toThrow(words)
  })
})

describe('whether an object has come to it', () => {
  const said = (text: string, object: AnyObject) => judge(goalOf(text), object, now)

  it('is what its condition says, with since when and why', () => {
    expect(said('condition=Ready', workload({ ready: 'True' }))).toEqual({
      isMet: true,
      now: 'Ready is True since 5s: why',
    })
    expect(said('condition=Ready', workload({ ready: 'Unknown' }))).toMatchObject({
      isMet: false,
      now: 'Ready is Unknown since 5s: why',
    })
    expect(said('condition=Ready', workload())).toEqual({ isMet: false, now: 'there is no condition Ready yet' })
  })

  it('is not what was true of an older spec', () => {
    const { isMet, now: text } = said('condition=Ready', workload({ ready: 'True', observed: 1 }))
    expect(isMet).toBe(false)
    expect(text).toContain('about generation 1 and not yet 2')
  })

  it('is the text of a field', () => {
    expect(said('spec.replicas=3', workload()).isMet).toBe(true)
    expect(said('status.nothing=3', workload())).toEqual({ isMet: false, now: 'status.nothing is not set' })
    expect(said('status.constructor.name=Object', workload()).isMet).toBe(false)
  })

  it('is never gone while it is there', () => {
    expect(said('delete', workload())).toEqual({ isMet: false, now: 'nobody has asked for it to be deleted' })
    const leaving = workload({ more: { deletionRequestedAt: since } })
    expect(said('delete', leaving).now).toBe('it is being deleted since 5s, held by gantry.dev/engine')
  })
})

describe('who is still waited for', () => {
  const all = (...objects: AnyObject[]): Followed => ({
    type: 'all',
    group: { face: faceCalled('wl'), objects, missing: [] },
  })
  const put = (object: AnyObject): Followed => ({ type: 'put', object })
  const gone = (object: AnyObject): Followed => ({ type: 'gone', object })
  const texts = (lines: readonly { about: string; text: string }[]) =>
    lines.map(({ about, text }) => `${about}: ${text}`)

  it('is nobody known before the first look, and nobody left when all have come to it', () => {
    const tracker = new Tracker(goalOf('condition=Ready'))
    expect(tracker.isDone).toBe(false)
    tracker.see(all(workload({ ready: 'True' }), workload({ name: 'api', ready: 'False' })), now)
    expect(tracker.isDone).toBe(false)
    expect(tracker.pending(now)).toEqual(['workload/api: Ready is False since 5s: why'])
    tracker.see(put(workload({ name: 'api', ready: 'True' })), now)
    expect(tracker.isDone).toBe(true)
    expect(tracker.count).toBe(2)
  })

  it('is told of once, and not again because time goes by', () => {
    const tracker = new Tracker(goalOf('condition=Ready'))
    expect(texts(tracker.see(all(workload({ ready: 'False' })), now))).toEqual([
      'workload/web: Ready is False since 5s: why',
    ])
    expect(tracker.see(put(workload({ ready: 'False' })), now + 60_000)).toEqual([])
    expect(texts(tracker.see(put(workload({ ready: 'Unknown' })), now))).toHaveLength(1)
  })

  it('may lose what it had', () => {
    const tracker = new Tracker(goalOf('condition=Ready'))
    tracker.see(all(workload({ ready: 'True' }), workload({ name: 'api', ready: 'False' })), now)
    tracker.see(put(workload({ ready: 'False' })), now)
    tracker.see(put(workload({ name: 'api', ready: 'True' })), now)
    expect(tracker.isDone).toBe(false)
  })

  it('ends with a fault when it goes away and was to be something', () => {
    const tracker = new Tracker(goalOf('condition=Ready'))
    tracker.see(all(workload({ ready: 'False' })), now)
    expect(() => tracker.see(gone(workload()), now)).toThrow('workload/web was deleted while it was waited for')
  })

  it('is gone when it was seen to be, also while nobody could look, and also if another has its name since', () => {
    const watched = new Tracker(goalOf('delete'))
    watched.see(all(workload()), now)
    expect(texts(watched.see(gone(workload()), now))).toEqual(['workload/web: gone'])
    expect(watched.see(put(workload({ uid: 'u2' })), now)).toEqual([])
    expect(watched.isDone).toBe(true)
    const missed = new Tracker(goalOf('delete'))
    missed.see(all(workload()), now)
    missed.see(all(workload({ uid: 'u2' })), now)
    expect(missed.isDone).toBe(true)
    const never = new Tracker(goalOf('delete'))
    never.see(all(), now)
    expect(never.isDone).toBe(true)
  })
})

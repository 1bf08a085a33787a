import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { channel } from '../../channel.ts'
import type { Observation, Observed } from '../../observed.ts'
import { joinedObservations } from './joined-observations.ts'

const at = new Date(0)

const instance = (uid: string): Observed => ({
  ref: { tenant: 't', workload: uid, uid, slot: 'a' },
  replicas: [],
  endpoints: [],
  drift: [],
  notEnforced: [],
  at,
})

const snapshot = (...uids: string[]): Observation => ({ type: 'snapshot', instances: uids.map(instance), at })
const changed = (uid: string): Observation => ({ type: 'changed', instance: instance(uid) })
const gone = (uid: string): Observation => ({ type: 'gone', ref: instance(uid).ref, at })
const blind: Observation = { type: 'blind', fault: new Fault('engine_unreachable', 'away'), at }

const wordOf = (seen: Observation): string => {
  if (seen.type === 'snapshot') return `all ${seen.instances.map(({ ref }) => ref.uid).join(' ')}`
  if (seen.type === 'changed') return `changed ${seen.instance.ref.uid}`
  return seen.type === 'gone' ? `gone ${seen.ref.uid}` : 'blind'
}

/** Two of them, and what each says in turn; whole when the last of both was heard. */
async function joined(words: readonly (readonly [0 | 1, Observation])[], count: number): Promise<string[]> {
  const both = [channel<Observation>(), channel<Observation>()] as const
  const leave = new AbortController()
  const heard: string[] = []
  const sources = both.map((each) => () => each)
  const reading = (async () => {
    for await (const seen of joinedObservations(sources, { signal: leave.signal })) {
      heard.push(wordOf(seen))
      if (heard.length === count) break
    }
  })()
  for (const [who, seen] of words) {
    both[who].push(seen)
    // Each is heard before the next is said.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await reading
  return heard
}

describe('what several see as one', () => {
  it('begins when all have given their snapshot, with what has changed since', async () => {
    const words = [
      [0, snapshot('a')],
      [0, changed('b')],
      [0, gone('a')],
      [1, snapshot('c')],
      [1, changed('d')],
      [0, gone('b')],
    ] as const
    expect(await joined(words, 3)).toEqual(['all b c', 'changed d', 'gone b'])
  })

  it('is blind while one of them is, and told once; then all of it comes anew', async () => {
    const words = [
      [0, snapshot('a')],
      [1, snapshot('b')],
      [0, blind],
      [1, blind],
      [0, snapshot('a', 'c')],
      [0, changed('a')],
      [1, snapshot('b')],
      [1, changed('b')],
    ] as const
    expect(await joined(words, 4)).toEqual(['all a b', 'blind', 'all a c b', 'changed b'])
  })

  it('is blind from the start where one of them is', async () => {
    expect(
      await joined(
        [
          [1, snapshot('b')],
          [0, blind],
          [0, snapshot('a')],
        ],
        2,
      ),
    ).toEqual(['blind', 'all a b'])
  })

  it('leaves with the reason of the caller, and takes all of them along', async () => {
    const leave = new AbortController()
    const signals: AbortSignal[] = []
    const source = (call: { signal: AbortSignal }) => {
      signals.push(call.signal)
      return channel<Observation>()
    }
    const reading = (async () => {
      for await (const _ of joinedObservations([source, source], { signal: leave.signal })) break
    })()
    leave.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import type { Ref } from '../../ref.ts'
import { Looks } from './looks.ts'

const never = { signal: new AbortController().signal }
const ref = (uid: string): Ref => ({ tenant: 'team', workload: uid, uid, slot: 'a' })
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A daemon that answers when it is told to. */
function daemon(size: number) {
  const asked: { readonly what: string; readonly answer: (error?: Error) => void }[] = []
  const ask = (what: string): Promise<void> =>
    new Promise((resolve, reject) => {
      asked.push({ what, answer: (error) => (error ? reject(error) : resolve()) })
    })
  const looks = new Looks({
    one: ({ uid }) => ask(uid),
    many: (refs) => ask(refs.map(({ uid }) => uid).join('+')),
    size: () => size,
    life: never,
  })
  return { looks, asked, questions: () => asked.map(({ what }) => what) }
}

describe('Looks at a daemon', () => {
  it('of a few are made at once; those that come meanwhile are one look at everything, begun after them', async () => {
    const { looks, asked, questions } = daemon(20)
    const ends = ['a', 'b', 'c', 'd', 'e'].map((uid) => looks.look(ref(uid), never))
    expect(questions()).toEqual(['a', 'b'])
    asked[0]?.answer()
    await ends[0]
    await settled()
    expect(questions()).toEqual(['a', 'b', 'c+d+e'])
    const late = looks.look(ref('f'), never)
    asked[1]?.answer()
    asked[2]?.answer()
    await Promise.all(ends)
    await settled()
    expect(questions()).toEqual(['a', 'b', 'c+d+e', 'f'])
    asked[3]?.answer()
    await late
  })

  it('stay apart where everything is much more than what is looked for', async () => {
    const { looks, asked, questions } = daemon(1000)
    const ends = ['a', 'b', 'c', 'd'].map((uid) => looks.look(ref(uid), never))
    asked[0]?.answer()
    await settled()
    expect(questions()).toEqual(['a', 'b', 'c'])
    asked[1]?.answer()
    asked[2]?.answer()
    await settled()
    asked[3]?.answer()
    await Promise.all(ends)
    expect(questions()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('fail for all who share one, and go on for those who come later; who leaves is told at once', async () => {
    const { looks, asked, questions } = daemon(1)
    const first = [looks.look(ref('a'), never), looks.look(ref('b'), never)]
    const leaver = new AbortController()
    const left = looks.look(ref('c'), leaver)
    const shared = [looks.look(ref('d'), never), looks.look(ref('e'), never)]
    leaver.abort(new Error('no longer wanted'))
    await expect(left).rejects.toThrow('no longer wanted')
    asked[0]?.answer()
    await first[0]
    await settled()
    expect(questions()).toEqual(['a', 'b', 'd+e'])
    asked[2]?.answer(new Error('it is gone'))
    for (const each of await Promise.allSettled(shared)) expect(each).toMatchObject({ status: 'rejected' })
    const later = looks.look(ref('g'), never)
    asked[1]?.answer()
    asked[3]?.answer()
    await Promise.all([...first, later])
    expect(questions()).toEqual(['a', 'b', 'd+e', 'g'])
  })
})

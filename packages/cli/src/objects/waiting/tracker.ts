/** Pure: who is still waited for, from what was seen until now. */
import { Fault } from '@gantry/core'
import { nameOf } from '../../output/data.ts'
import type { AnyObject } from '../access.ts'
import { type Followed, keyOf } from '../follow.ts'
import { type Goal, judge } from './goal.ts'

export type Line = { readonly about: string; readonly isMet: boolean; readonly text: string }

type Watched = { readonly object: AnyObject; isMet: boolean; said: string }

export class Tracker {
  readonly #goal: Goal
  readonly #watched = new Map<string, Watched>()
  #hasSeen = false

  constructor(goal: Goal) {
    this.#goal = goal
  }

  /** Nothing more to wait for. Before the first look nobody knows. */
  get isDone(): boolean {
    return this.#hasSeen && [...this.#watched.values()].every(({ isMet }) => isMet)
  }

  get count(): number {
    return this.#watched.size
  }

  /** Those that are not there yet, each with how it is. */
  pending(now: number): string[] {
    const left = [...this.#watched.values()].filter(({ isMet }) => !isMet)
    return left.map(({ object }) => `${nameOf(object)}: ${judge(this.#goal, object, now).now}`)
  }

  /** What is new since the last time, to be said. Who waits for a condition of something that goes away is told so. */
  see(seen: Followed, now: number): Line[] {
    if (seen.type !== 'all') return seen.type === 'put' ? this.#put(seen.object, now) : this.#gone(seen.object)
    this.#hasSeen = true
    const here = new Map(seen.group.objects.map((object) => [keyOf(object), object]))
    const away = [...this.#watched].filter(([key, { object }]) => here.get(key)?.metadata.uid !== object.metadata.uid)
    return [
      ...away.flatMap(([, { object }]) => this.#gone(object)),
      ...seen.group.objects.flatMap((object) => this.#put(object, now)),
    ]
  }

  #put(object: AnyObject, now: number): Line[] {
    const before = this.#watched.get(keyOf(object))
    // One that was waited to be gone and is made anew is another one.
    if (before?.isMet && this.#goal.type === 'delete') return []
    const { isMet, now: text } = judge(this.#goal, object, now)
    const said = stable(text)
    this.#watched.set(keyOf(object), { object, isMet, said })
    if (before?.said === said && before.isMet === isMet) return []
    return [{ about: nameOf(object), isMet, text }]
  }

  #gone(object: AnyObject): Line[] {
    const before = this.#watched.get(keyOf(object))
    if (this.#goal.type !== 'delete') {
      throw new Fault('object_not_found', `${nameOf(object)} was deleted while it was waited for`)
    }
    if (before?.isMet) return []
    this.#watched.set(keyOf(object), { object, isMet: true, said: 'gone' })
    return [{ about: nameOf(object), isMet: true, text: 'gone' }]
  }
}

/** How long ago something was is no news. */
function stable(text: string): string {
  return text.replace(/ since \S+?(?=[:,]|$)/, '')
}

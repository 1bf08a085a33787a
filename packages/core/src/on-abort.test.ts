import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { joinSignals, onAbort } from './on-abort.ts'

it('tells everybody who waits, once', () => {
  const stop = new AbortController()
  const told: number[] = []
  for (const who of [1, 2, 3]) onAbort(stop.signal, () => told.push(who))
  stop.abort()
  stop.abort()
  expect(told).toEqual([1, 2, 3])
})

it('tells at once when the signal has ended already', () => {
  let told = 0
  onAbort(AbortSignal.abort(), () => {
    told += 1
  })
  expect(told).toBe(1)
})

it('puts one listener on a signal however many wait, and none when nobody does any more', () => {
  const stop = new AbortController()
  const leave = Array.from({ length: 1000 }, () => onAbort(stop.signal, () => undefined))
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
  for (const each of [...leave, ...leave]) each()
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
})

it('counts a function that is given twice as two', () => {
  const stop = new AbortController()
  let told = 0
  const task = (): void => {
    told += 1
  }
  onAbort(stop.signal, task)()
  onAbort(stop.signal, task)
  onAbort(stop.signal, task)
  stop.abort()
  expect(told).toBe(2)
})

it('does not tell whoever was taken back by another on the way', () => {
  const stop = new AbortController()
  const told: string[] = []
  let leave = (): void => undefined
  onAbort(stop.signal, () => {
    told.push('first')
    leave()
  })
  leave = onAbort(stop.signal, () => told.push('second'))
  stop.abort()
  expect(told).toEqual(['first'])
})

it('joins signals: the first that ends, ends the whole for its reason, and nothing is left behind', () => {
  const [one, two] = [new AbortController(), new AbortController()]
  const joined = joinSignals(one.signal, two.signal)
  two.abort('second')
  one.abort('first')
  expect(joined.signal.reason).toBe('second')
  expect(getEventListeners(one.signal, 'abort')).toHaveLength(0)
})

it('joins a signal that has ended already', () => {
  const other = new AbortController()
  expect(joinSignals(AbortSignal.abort('before'), other.signal).signal.reason).toBe('before')
  expect(getEventListeners(other.signal, 'abort')).toHaveLength(0)
})

it('stops following when it is cleared', () => {
  const stop = new AbortController()
  const joined = joinSignals(stop.signal)
  joined.clear()
  stop.abort()
  expect(joined.signal.aborted).toBe(false)
})

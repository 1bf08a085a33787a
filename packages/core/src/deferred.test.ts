import { expect, it } from 'vitest'
import { deferred } from './deferred.ts'

it('is settled from outside, once', async () => {
  const done = deferred<number>()
  done.resolve(1)
  done.resolve(2)
  done.reject(new Error('too late'))
  expect(await done.promise).toBe(1)
})

it('fails for whoever waits, and for nobody else', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  const failed = deferred<number>()
  failed.reject(new Error('nobody waits yet'))
  await new Promise((resolve) => setImmediate(resolve))
  await expect(failed.promise).rejects.toThrow('nobody waits yet')
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

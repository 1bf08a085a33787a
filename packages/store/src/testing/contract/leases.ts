import { describe, expect, it } from 'vitest'
import { call, create, freshTenant, type MakeSubject, refused, sharedStore, system } from './subject.ts'

const long = 60_000
let leases = 0
const freshLease = (): string => {
  leases += 1
  return `lease-${leases}`
}

export function leasesContract(make: MakeSubject): void {
  describe('leases', () => {
    const store = sharedStore(make)
    const held = () => store().leases(system)

    /** By whoever's clock it is: asks until the millisecond is over. */
    async function takeOver(name: string, holder: string) {
      for (let tries = 0; tries < 10_000; tries += 1) {
        const lease = await held().acquire(name, holder, long, call)
        if (lease) return lease
        await new Promise(setImmediate)
      }
      throw new Error('the lease did not run out')
    }

    it('are held by one, who may take them again', async () => {
      const name = freshLease()
      const lease = await held().acquire(name, 'a', long, call)
      expect(lease).toEqual({ name, holder: 'a', epoch: 1n, ttlMs: long })
      expect(await held().acquire(name, 'b', long, call)).toBeUndefined()
      expect(await held().acquire(name, 'a', long, call)).toEqual(lease)
    })

    it('go to the next when they run out, in a new epoch, and are lost to the one before', async () => {
      const name = freshLease()
      const old = await held().acquire(name, 'a', 1, call)
      const taken = await takeOver(name, 'b')
      expect(taken.epoch).toBe(2n)
      if (!old) throw new Error('not acquired')
      expect(await held().renew(old, call)).toBeUndefined()
      await held().release(old, call)
      expect(await held().renew(taken, call)).toEqual(taken)
    })

    it('are free at once when given back', async () => {
      const name = freshLease()
      const lease = await takeOver(name, 'a')
      await held().release(lease, call)
      await held().release(lease, call)
      expect(await held().renew(lease, call)).toBeUndefined()
      expect((await held().acquire(name, 'b', long, call))?.epoch).toBe(2n)
    })

    it('are won by exactly one of many', async () => {
      const name = freshLease()
      const all = await Promise.all(Array.from({ length: 40 }, (_, n) => held().acquire(name, `h-${n}`, long, call)))
      expect(all.filter((lease) => lease !== undefined)).toHaveLength(1)
    })

    it('fence writes: only the holder of this epoch gets through', async () => {
      const { key } = freshTenant()
      const name = freshLease()
      const fence = { lease: name, epoch: 1n }
      const write = (at: string, more: object = {}) =>
        store().write(system, [create(key(at))], { fence: { ...fence, ...more } }, call)
      await expect(write('never-held')).rejects.toEqual(refused('stale_fence'))
      const lease = await held().acquire(name, 'a', long, call)
      expect((await write('one')).results[0]?.did).toBe('created')
      await expect(write('two', { epoch: 2n })).rejects.toEqual(refused('stale_fence'))
      if (lease) await held().release(lease, call)
      await expect(write('three')).rejects.toEqual(refused('stale_fence'))
      await held().acquire(name, 'b', long, call)
      await expect(write('four')).rejects.toEqual(refused('stale_fence'))
      expect((await write('five', { epoch: 2n })).results[0]?.did).toBe('created')
      expect(await store().read(system, key('four'), call)).toBeUndefined()
    })
  })
}

import { Fault, sleep } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { DockerApi } from '../api/api.ts'
import { DiskSizes } from './disk-sizes.ts'

const call = { signal: new AbortController().signal }

function rig(takesMs: number, volumes: Readonly<Record<string, number | 'memory'>> = {}, refusals = 0) {
  const clock = new VirtualClock()
  let counted = 0
  const api = {
    containers: { list: async () => [{ Id: 'c', SizeRw: 5 }] },
    system: {
      volumeSizes: async () => {
        counted += 1
        if (counted <= refusals) throw new Fault('engine_object_conflict', 'a disk usage operation is already running')
        await sleep(clock, takesMs, call)
        return new Map(Object.entries(volumes).filter(([, size]) => size !== 'memory'))
      },
    },
    volumes: {
      list: async () =>
        Object.entries(volumes).map(([Name, size]) => ({
          Name,
          Options: size === 'memory' ? { type: 'tmpfs' } : null,
        })),
    },
  } as unknown as DockerApi
  const sizes = new DiskSizes(api, clock)
  const bytes = async (...names: string[]) => {
    const asked = sizes.bytes([{ id: 'c', replica: 'r', volumes: names }], call)
    await clock.advance(Math.max(1_000, takesMs))
    return await asked
  }
  return { clock, bytes, counted: () => counted }
}

describe('what is taken on a disk', () => {
  it('is what was written over the image and into volumes, and nothing for those in memory', async () => {
    const { bytes } = rig(0, { data: 100, files: 'memory' })
    expect(await bytes()).toBe(5)
    expect(await bytes('data', 'files', 'data')).toBe(105)
  })

  it('is not known where the size of a volume is not', async () => {
    expect(await rig(0, { data: 100 }).bytes('data', 'elsewhere')).toBeUndefined()
  })

  it('is asked for again soon where the engine refuses to count', async () => {
    const { bytes, clock, counted } = rig(0, { data: 1 }, 2)
    const seen: (number | undefined)[] = []
    for (let at = 0; at < 20; at += 1) {
      await clock.advance(1_000)
      seen.push(await bytes('data'))
    }
    expect([seen[0], seen.at(-1), counted()]).toEqual([undefined, 6, 3])
  })

  it('is counted again after a minute, and later where counting takes long', async () => {
    const quick = rig(0, { data: 1 })
    const slow = rig(20_000, { data: 1 })
    for (const { bytes } of [quick, slow]) await bytes('data')
    for (let minutes = 0; minutes < 6; minutes += 1) {
      for (const { clock, bytes } of [quick, slow]) {
        await clock.advance(60_000)
        await bytes('data')
      }
    }
    expect([quick.counted(), slow.counted()]).toEqual([7, 2])
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keysOf, type Load, measureOurs, orderOf } from './workqueue-load.ts'
import { startGoPeer } from './workqueue-peer.ts'

const call = { signal: new AbortController().signal }

afterEach(() => vi.unstubAllEnvs())

describe('the load of the workqueue bench', () => {
  const load: Load = { case: 'drain', workers: 2, adds: 5000, keys: 400 }

  it('is the same on both sides, and reaches every key', () => {
    const keys = keysOf(load)
    expect(keys.slice(127, 130)).toEqual(['tenant-127/object-127', 'tenant-0/object-128', 'tenant-1/object-129'])
    // The same numbers come out of the generator in workqueue-peer/main.go.
    expect([...orderOf(load).slice(0, 4)]).toEqual([68, 67, 374, 157])
    expect(new Set(orderOf(load)).size).toBe(400)
  })

  it.each(['drain', 'interleaved'] as const)('is run to its end when it is %s', async (name) => {
    const names = { keys: keysOf(load), order: orderOf(load) }
    expect(await measureOurs({ ...load, case: name }, names)).toBeGreaterThan(0)
  })
})

describe('a peer that cannot be had', () => {
  it('is reported as missing, with the reason', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'gantry-bench-'))
    vi.stubEnv('XDG_CACHE_HOME', cache)
    vi.stubEnv('PATH', cache)
    const peer = await startGoPeer(call)
    rmSync(cache, { recursive: true })
    expect(peer).toEqual({ missing: 'there is no go on the PATH to build it with' })
  })
})

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildOnce, cacheFolder } from './cache.ts'

const { signal } = new AbortController()

describe('what is built once', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gantry-cache-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is built by one of those who want it at the same time, and found by the others', async () => {
    let builds = 0
    const build = async (folder: string): Promise<void> => {
      builds += 1
      writeFileSync(join(folder, 'program'), 'built')
    }
    const recipe = { root, key: 'thing-1', build }
    const folders = await Promise.all([1, 2, 3].map(() => buildOnce(recipe, { signal })))
    expect(builds).toBe(1)
    expect(new Set(folders)).toEqual(new Set([join(root, 'thing-1')]))
    expect(readFileSync(join(root, 'thing-1', 'program'), 'utf8')).toBe('built')
    expect(readdirSync(root)).toEqual(['thing-1'])
  })

  it('is absent, not half there, when the build fails, and can be tried again', async () => {
    const broken = async (folder: string): Promise<void> => {
      writeFileSync(join(folder, 'half'), '')
      throw new Error('no disk')
    }
    await expect(buildOnce({ root, key: 'thing-1', build: broken }, { signal })).rejects.toThrow('no disk')
    expect(readdirSync(root)).toEqual([])
    await buildOnce({ root, key: 'thing-1', build: async () => undefined }, { signal })
    expect(readdirSync(root)).toEqual(['thing-1'])
  })

  it('is built anew when something has cleaned a part of it away', async () => {
    const build = async (folder: string): Promise<void> => writeFileSync(join(folder, 'program'), 'built')
    const intact = async (folder: string): Promise<boolean> => existsSync(join(folder, 'program'))
    const folder = await buildOnce({ root, key: 'thing-1', build, intact }, { signal })
    rmSync(join(folder, 'program'))
    await buildOnce({ root, key: 'thing-1', build, intact }, { signal })
    expect(readdirSync(folder)).toEqual(['program'])
  })

  it('lies in the cache folder of the user', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/x/cache' })).toBe('/x/cache/gantry/engines')
    expect(cacheFolder({ XDG_CACHE_HOME: '' })).toMatch(/\/\.cache\/gantry\/engines$/)
  })
})

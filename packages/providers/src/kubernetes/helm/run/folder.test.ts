import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markerName } from '../../../proc/marker.ts'
import { makeRunFolder, removeRunFolder, saidBy, sweepRuns, writePrivate } from './folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-runs-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function aRun(mark: string): Promise<string> {
  const places = await makeRunFolder(root, mark)
  await writePrivate(join(places.folder, 'values.json'), '{"password":"hunter2"}')
  writeFileSync(places.errors, 'Error: no')
  return places.folder
}

describe('the folder of a run', () => {
  it('is for us alone, tells what was said in it, and goes', async () => {
    const folder = await aRun('m1')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'values.json')).mode & 0o777).toBe(0o600)
    expect(await saidBy(root, 'm1')).toBe('Error: no')
    await removeRunFolder(root, 'm1')
    expect(readdirSync(root)).toEqual([])
    expect(await saidBy(root, 'm1')).toBeUndefined()
  })

  it.each(['../m1', '', 'a/b'])('is never outside of ours: %j', async (mark) => {
    await aRun('m1')
    await removeRunFolder(join(root, 'm1'), mark)
    expect(await saidBy(join(root, 'm1'), mark)).toBeUndefined()
    expect(readdirSync(root)).toEqual(['m1'])
  })

  it('of a life before is emptied but for its words, and after a day of those too, unless its helm or its maker lives', async () => {
    const [dead, old, alive] = [await aRun('dead'), await aRun('old'), await aRun('alive')]
    const preparing = await aRun('preparing')
    for (const folder of [dead, old, alive]) writeFileSync(join(folder, 'owner'), '{"pid":1,"started":"long ago"}')
    const child = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, [markerName]: 'alive' } })
    try {
      await new Promise((resolve) => child.once('spawn', resolve))
      const long = new Date(Date.now() - 2 * 86_400_000)
      utimesSync(old, long, long)
      await sweepRuns(root, Date.now())
      expect(readdirSync(dead)).toEqual(['errors'])
      expect(readdirSync(alive)).toContain('values.json')
      expect(readdirSync(preparing)).toContain('values.json')
      expect(readdirSync(root).sort()).toEqual(['alive', 'dead', 'preparing'])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { programFiles, reachableFolder } from './reachable.ts'

const root = process.getuid?.() === 0
let above: string
let folder: string

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'gantry-hello-'))
  folder = join(above, 'closed', 'hello')
  await mkdir(folder, { recursive: true })
  for (const file of programFiles) await writeFile(join(folder, file), '')
  await chmod(above, 0o755)
})
afterEach(() => rm(above, { recursive: true, force: true }))

describe('the folder that a program runs in', () => {
  it('stays where it is when others may pass, or when nobody else is meant to run it', async () => {
    expect(await reachableFolder(folder, '/data', 0, join(above, 'copies'))).toBe(folder)
    await chmod(join(above, 'closed'), 0o700)
    expect(await reachableFolder(folder, '/data', 1000, join(above, 'copies'))).toBe(folder)
  })

  it('is copied to where others may pass, each time to the same place', async ({ skip }) => {
    if (!root) return skip('only root runs workloads as other users')
    await chmod(join(above, 'closed'), 0o700)
    const copy = await reachableFolder(folder, '/data', 0, join(above, 'copies'))
    expect(copy).toContain(join(above, 'copies'))
    expect(await readdir(copy)).toEqual([...programFiles])
    expect(await reachableFolder(folder, '/data', 0, join(above, 'copies'))).toBe(copy)
    await chmod(copy, 0o777)
    await expect(reachableFolder(folder, '/data', 0, join(above, 'copies'))).rejects.toMatchObject({
      reason: 'foreign_object',
    })
  })
})

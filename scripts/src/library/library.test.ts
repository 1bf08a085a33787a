import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../documents/blocks.ts'
import { repositoryRoot } from '../rules/files.ts'
import { compile, projectWith, runIn } from './project.ts'

let folder: string
beforeAll(async () => {
  folder = await projectWith('server')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the packages as npm brings them to somebody else', () => {
  it('run the snippet of the README, with types', async () => {
    const path = 'README.md'
    const text = await readFile(join(repositoryRoot, path), 'utf8')
    const [snippet, ...more] = blocksOf({ path, text }).filter(({ shows }) => shows === 'examples/library/main.ts')
    expect(more).toEqual([])
    await writeFile(join(folder, 'main.ts'), snippet?.text ?? '')
    await compile(folder, 'main.ts')
    const said = await runIn(folder, 'main.js')
    expect(said).toContain('hello is stored as generation 1, with 2 replicas')
    expect(said).toContain('ready: true')
  })

  it('tell a mistake in the snippet before it runs', async () => {
    const wrong = "import { createControlPlane } from '@gantry/server'\ncreateControlPlane({ database: 1 })\n"
    await writeFile(join(folder, 'wrong.ts'), wrong)
    await expect(compile(folder, 'wrong.ts')).rejects.toThrow(/wrong\.ts\(2,\d+\): error TS/)
  })
})

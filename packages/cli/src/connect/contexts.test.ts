import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contextsPath, readContexts, writeContexts } from './contexts.ts'

const some = { current: 'local', contexts: { local: { server: 'http://127.0.0.1:7400', token: 'gantry_x' } } }

describe('the contexts file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-contexts-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is read as it was written, and is for its owner alone', async () => {
    const path = join(folder, 'deep', 'contexts.json')
    expect(await readContexts(path)).toEqual({ contexts: {} })
    await writeContexts(path, some)
    expect(await readContexts(path)).toEqual(some)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('takes no mode from what a crash has left', async () => {
    const path = join(folder, 'contexts.json')
    await writeFile(`${path}.${process.pid}.next`, 'half', { mode: 0o644 })
    await writeContexts(path, some)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('that cannot be read or written says so, and what to do', async () => {
    const path = join(folder, 'contexts.json')
    await mkdir(path)
    await expect(readContexts(path)).rejects.toMatchObject({
      reason: 'bad_request',
      message: expect.stringMatching(/EISDIR.*GANTRY_CONTEXTS/),
    })
    await writeFile(join(folder, 'file'), '')
    const below = join(folder, 'file', 'contexts.json')
    await expect(writeContexts(below, some)).rejects.toMatchObject({ reason: 'bad_request' })
  })

  it('that is something else is not quoted', async () => {
    const path = join(folder, 'contexts.json')
    await writeFile(path, '{ "token": "gantry_x"')
    const error = await readContexts(path).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ reason: 'bad_document' })
    expect(String(error)).not.toContain('gantry_x')
  })

  it.each([
    [{ GANTRY_CONTEXTS: '/x/c.json' }, '/x/c.json'],
    [{ GANTRY_CONTEXTS: '', XDG_CONFIG_HOME: '/x' }, '/x/gantry/contexts.json'],
    [{ XDG_CONFIG_HOME: '', HOME: '/y' }, '/y/.config/gantry/contexts.json'],
  ])('with %j is %s', (env, expected) => {
    expect(contextsPath(env)).toBe(expected)
  })
})

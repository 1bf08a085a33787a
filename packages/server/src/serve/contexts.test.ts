import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addContext } from './contexts.ts'

const local = { server: 'http://127.0.0.1:7400', token: 'gantry_x' }
const prod = { server: 'https://prod.example', token: 'gantry_y', tenant: 'acme' }

describe('the contexts file', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-contexts-'))
    path = join(folder, 'gantry', 'contexts.json')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const written = async () => JSON.parse(await readFile(path, 'utf8'))

  it('is made for its owner alone, with what was added in use', async () => {
    await addContext(path, 'local', local)
    expect(await written()).toEqual({ current: 'local', contexts: { local } })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['another', { current: 'prod', contexts: { prod } }, { current: 'prod', contexts: { prod, local } }],
    ['none, as after one was forgotten', { contexts: { prod } }, { current: 'local', contexts: { prod, local } }],
  ])('keeps what is there when %s is in use', async (_, before, after) => {
    await addContext(path, 'prod', prod)
    await writeFile(path, JSON.stringify(before))
    await addContext(path, 'local', local)
    expect(await written()).toEqual(after)
  })

  it.each(['nonsense gantry_y', '[]', '{"contexts":null}', '{"current":1,"contexts":{}}'])(
    'that is %s is somebody’s, and neither written over nor quoted',
    async (text) => {
      await addContext(path, 'prod', prod)
      await writeFile(path, text)
      const error = await addContext(path, 'local', local).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ reason: 'bad_document' })
      expect(String(error)).not.toContain('gantry_y')
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )
})

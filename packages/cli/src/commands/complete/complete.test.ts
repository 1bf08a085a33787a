import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gantry } from '../../testing/gantry.ts'

describe('what shells are answered', () => {
  let folder: string
  let env: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-complete-'))
    env = { GANTRY_CONTEXTS: join(folder, 'contexts.json'), GANTRY_SERVER: 'http://127.0.0.1:1' }
    const contexts = {
      work: { server: 'https://work.example', token: 'hidden' },
      home: { server: 'http://127.0.0.1:1' },
    }
    await writeFile(env.GANTRY_CONTEXTS ?? '', JSON.stringify({ current: 'home', contexts }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const asked = (shell: string, ...words: string[]) => gantry(['__complete', '--shell', shell, '--', ...words], { env })

  it('is only what fits, with what it is', async () => {
    const { code, stdout } = await asked('zsh', 'des')
    expect(stdout).toMatch(/^describe\t.+\n$/)
    expect(code).toBe(0)
  })

  it('is the part behind the break in bash, and the whole elsewhere', async () => {
    expect((await asked('bash', 'get', 'wl', '--output', '=', 'js')).stdout).toBe('json\n')
    expect((await asked('fish', 'get', 'wl', '--output=js')).stdout).toBe('--output=json\n')
  })

  it('is a context with its server, and never its token', async () => {
    expect((await asked('fish', '--context', '')).stdout).toBe('work\thttps://work.example\nhome\thttp://127.0.0.1:1\n')
  })

  it('is left to the shell where files are meant', async () => {
    expect((await asked('fish', 'delete', '-f', 'x')).stdout).toBe(':files\n')
  })

  it.each([
    ['a server that is not there', ['get', 'wl', '']],
    ['a context that there is not', ['--context', 'nowhere', 'get', 'wl', '']],
    ['a command that there is not', ['nonsense', '']],
    ['a kind that there is not', ['get', 'nonsense/']],
  ])('is nothing, in silence, for %s', async (_, words) => {
    expect(await asked('fish', ...words)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('is why there is nothing, for who asks with -v', async () => {
    const { code, stderr } = await gantry(['__complete', '-v', '--', 'get', 'wl', ''], { env })
    expect(stderr).toContain('http://127.0.0.1:1')
    expect(code).toBe(11)
  })

  it('has a script for each shell, and says what was meant by others', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await gantry(['completion', shell])
      expect(stdout).toContain('gantry __complete')
      expect(code).toBe(0)
    }
    expect(await gantry(['completion', 'fihs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean fish?'),
    })
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Secret } from '@gantry/core'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest'
import { type ImageRig, imageRig } from '../../testing/image-rig.ts'
import type { RegistryFront } from '../../testing/registry-front.ts'
import type { ImageState, ImageWant } from './images.ts'

const login = { username: 'me', password: 'open sesame' }

const isHere = ({ state }: ImageState): boolean => state === 'here'
const isFailed = ({ state }: ImageState): boolean => state === 'failed'
const messageOf = (state: ImageState): string => ('message' in state ? state.message : '')

const credentials = (password: string) => ({
  version: 1,
  username: new Secret(login.username),
  password: new Secret(password),
})

describe('a private image', () => {
  let found: Awaited<ReturnType<typeof imageRig>>
  let guarded: RegistryFront
  let settings: string
  beforeAll(async () => {
    found = await imageRig()
    if ('docker' in found) guarded = await found.guarded(login)
    settings = mkdtempSync(join(tmpdir(), 'gantry-docker-settings-'))
  })
  afterEach(() => vi.unstubAllEnvs())
  afterAll(async () => {
    rmSync(settings, { recursive: true })
    if ('docker' in found) await found.end()
  })

  const rig = ({ skip }: Pick<TestContext, 'skip'>): ImageRig => ('missing' in found ? skip(found.missing) : found)

  async function fresh({ push, name }: ImageRig): Promise<ImageWant> {
    const { reference } = await push(`${name('private')}:1`)
    return { image: reference.replace(/^[^/]+/, guarded.host), policy: 'if_not_present' }
  }

  const configure = (config: unknown): void => writeFileSync(join(settings, 'config.json'), JSON.stringify(config))

  function helper(name: string, script: string): void {
    const path = join(settings, `docker-credential-${name}`)
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${settings}${delimiter}${process.env.PATH ?? ''}`)
  }

  it('is refused to who has no login, and to who has a wrong one, with what to do', async (context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    const own = images()
    const nobody = await until(own, 'nobody', want, isFailed)
    expect(messageOf(nobody)).toMatch(/no basic auth credentials; name a Secret with a login in imagePullSecret$/)
    const wrong = await until(own, 'wrong', { ...want, credentials: credentials('guess') }, isFailed)
    expect(messageOf(wrong)).toMatch(/unauthorized.*; look at the Secret that imagePullSecret names$/)
    expect(JSON.stringify([nobody, wrong])).not.toContain('guess')
  })

  it('is had with the login of the tenant, while another one is refused', async (context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    const own = images()
    const wrong = { ...want, credentials: credentials('guess') }
    const right = { ...want, credentials: credentials(login.password) }
    expect((await until(own, 'wrong', wrong, isFailed)).state).toBe('failed')
    expect((await until(own, 'right', right, isHere)).state).toBe('here')
  })

  it("is had with the login of Docker's own settings, which may come later", async (context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    const own = images({ dockerConfig: settings })
    configure({})
    await until(own, 'early', want, isFailed)
    const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64')
    configure({ auths: { [guarded.host]: { auth } } })
    expect((await until(own, 'late', want, isHere)).state).toBe('here')
  })

  it('is had with the login that a helper knows', async (context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    helper(
      'test',
      `read server; test "$1 $server" = "get ${guarded.host}" && echo '${JSON.stringify({ Username: login.username, Secret: login.password })}'`,
    )
    configure({ credHelpers: { [guarded.host]: 'test' } })
    expect((await until(images({ dockerConfig: settings }), 'me', want, isHere)).state).toBe('here')
  })

  it('is had with the login of the settings where the helper knows none', async (context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    helper('empty', 'echo "credentials not found in native keychain"; exit 1')
    configure({ credsStore: 'empty', auths: { [guarded.host]: login } })
    expect((await until(images({ dockerConfig: settings }), 'me', want, isHere)).state).toBe('here')
  })

  it.for([
    ['fails', 'echo "hush: open sesame"; exit 3', 'which ended with exit code 3'],
    ['is not there', undefined, 'which could not be run'],
  ] as const)('is refused, with the reason, where the helper %s', async ([_how, script, words], context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    if (script !== undefined) helper('broken', script)
    configure({ credsStore: script === undefined ? 'absent' : 'broken' })
    const state = await until(images({ dockerConfig: settings }), 'me', want, isFailed)
    expect(messageOf(state)).toContain(words)
    expect(messageOf(state)).not.toContain('sesame')
  })

  it('is refused without a word of the settings where those cannot be read', async (context) => {
    const { images, until } = rig(context)
    const want = await fresh(rig(context))
    writeFileSync(join(settings, 'config.json'), '{"auths":{"a":{"auth":"sesame')
    const state = await until(images({ dockerConfig: settings }), 'me', want, isFailed)
    expect(messageOf(state)).toContain("Docker's settings cannot be read")
    expect(messageOf(state)).not.toContain('sesame')
  })
})

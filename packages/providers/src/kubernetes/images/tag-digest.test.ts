import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '@gantry/core'
import { buildImage, engine, pushImage } from '@gantry/engines'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { parseReference } from '../../images/reference.ts'
import { tarArchive } from '../../tar/write.ts'
import { registryFront } from '../../testing/registry-front.ts'
import { tagDigest } from './tag-digest.ts'
import { type Oddness, type OddRegistry, oddRegistry } from './testing/odd-registry.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const login = { username: 'me', password: 'open: sesame' }
const account = (password = login.password) => ({
  version: 1,
  username: new Secret(login.username),
  password: new Secret(password),
})

describe('what a registry says that a tag means', () => {
  let found: Awaited<ReturnType<typeof engine<'registry'>>>
  const opened: { close(): Promise<void> }[] = []
  beforeAll(async () => {
    found = await engine('registry', call)
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
  })
  afterAll(() => (found.state === 'missing' ? undefined : found.release()))

  const registryOf = ({ skip }: Pick<TestContext, 'skip'>): string =>
    found.state === 'missing' ? skip(found.why) : found.address.host

  async function odd(context: TestContext, oddness?: Oddness): Promise<OddRegistry> {
    const front = await oddRegistry(registryOf(context), oddness)
    opened.push(front)
    return front
  }

  /** One that nobody has, under a name without its registry. */
  async function pushed(context: TestContext): Promise<{ readonly name: string; readonly digest: string }> {
    const name = `${randomUUID()}/web:1`
    const content = Buffer.from(name)
    const built = buildImage(tarArchive([{ path: 'mark', mode: 0o644, content }]), {})
    return { name, digest: await pushImage(built, `${registryOf(context)}/${name}`, call) }
  }

  const meaning = (image: string, credentials?: ReturnType<typeof account>, plain: readonly string[] = []) =>
    tagDigest(parseReference(image), credentials, { plain }, call)

  it('is the digest of what was pushed last, and nothing where there is none', async (context) => {
    const { name, digest } = await pushed(context)
    expect(await meaning(`${registryOf(context)}/${name}`)).toBe(digest)
    expect(await meaning(`${registryOf(context)}/nobody/has-this:1`)).toBeUndefined()
  })

  it.for(['refused', 'without digest'] as const)(
    'is made of what it is itself, where the short question is %s',
    async (head, context) => {
      const { name, digest } = await pushed(context)
      const front = await odd(context, { head })
      expect(await meaning(`${front.host}/${name}`)).toBe(digest)
      expect(front.asked.map((each) => each.split(' ', 1)[0])).toEqual(['HEAD', 'GET'])
    },
  )

  it('is nothing where what comes is no manifest', async (context) => {
    const { name } = await pushed(context)
    const front = await odd(context, { head: 'without digest', type: 'text/html' })
    expect(await meaning(`${front.host}/${name}`)).toBeUndefined()
  })

  it('is told to who gets a token, with an account or without', async (context) => {
    const { name, digest } = await pushed(context)
    const open = await odd(context, { tokens: 'anybody' })
    expect(await meaning(`${open.host}/${name}`)).toBe(digest)
    const closed = await odd(context, { tokens: login, head: 'refused' })
    expect(await meaning(`${closed.host}/${name}`, account())).toBe(digest)
    // Once for both questions, and the account itself only where tokens are given out.
    const path = name.replace(':', '/manifests/')
    const scope = encodeURIComponent(`repository:${name.replace(':1', '')}:pull`)
    expect(closed.asked).toEqual([
      `HEAD /v2/${path}`,
      `GET /token?service=test&scope=${scope} as Basic`,
      `HEAD /v2/${path} as Bearer`,
      `GET /v2/${path} as Bearer`,
    ])
  })

  it('is not told to who gets no token, a wrong one, or a token that is not taken', async (context) => {
    const { name } = await pushed(context)
    const closed = await odd(context, { tokens: login })
    expect(await meaning(`${closed.host}/${name}`)).toBeUndefined()
    expect(await meaning(`${closed.host}/${name}`, account('guess'))).toBeUndefined()
    const broken = await odd(context, { tokens: 'anybody', badToken: true })
    expect(await meaning(`${broken.host}/${name}`)).toBeUndefined()
    expect(broken.asked).toHaveLength(3)
  })

  it('is told to who has the password that it asks for itself', async (context) => {
    const { name, digest } = await pushed(context)
    const front = await registryFront(registryOf(context), login)
    opened.push(front)
    expect(await meaning(`${front.host}/${name}`, account())).toBe(digest)
    expect(await meaning(`${front.host}/${name}`, account('guess'))).toBeUndefined()
    const before = front.asked.length
    expect(await meaning(`${front.host}/${name}`)).toBeUndefined()
    expect(front.asked).toHaveLength(before + 1)
  })

  it('is asked for where it sends us on to, and the account is not taken along', async (context) => {
    const { name, digest } = await pushed(context)
    const near = await odd(context, { tokens: 'anybody' })
    const front = await odd(context, { sendsTo: `http://${near.host}` })
    expect(await meaning(`${front.host}/${name}`, account())).toBe(digest)
    expect(near.asked.filter((each) => each.includes('Basic'))).toEqual([])
    const circle = await odd(context, { sendsTo: '/again' })
    expect(await meaning(`${circle.host}/${name}`)).toBeUndefined()
    expect(circle.asked.length).toBeLessThan(10)
  })

  it('is asked for without TLS only on this machine, or where somebody said so', async (context) => {
    const { name, digest } = await pushed(context)
    const front = await odd(context)
    // The same place, by a name that is not known to be here.
    const host = `0.0.0.0:${front.port}`
    await expect(meaning(`${host}/${name}`)).rejects.toMatchObject({ reason: 'engine_unreachable' })
    expect(front.asked).toEqual([])
    expect(await meaning(`${host}/${name}`, undefined, [host])).toBe(digest)
  })

  it('is believed over TLS only of who is vouched for', async (context) => {
    const { name, digest } = await pushed(context)
    const tls = certificate()
    if (typeof tls === 'string') return context.skip(tls)
    const front = await odd(context, { tls, tokens: login })
    const image = parseReference(`0.0.0.0:${front.port}/${name}`)
    await expect(tagDigest(image, account(), { plain: [] }, call)).rejects.toMatchObject({
      reason: 'engine_unreachable',
    })
    expect(front.asked).toEqual([])
    expect(await tagDigest(image, account(), { plain: [], ca: tls.cert }, call)).toBe(digest)
  })

  it('is no answer where nobody listens, and stops for who asked', async (context) => {
    const front = await odd(context)
    await front.close()
    opened.splice(0)
    await expect(meaning(`${front.host}/web:1`)).rejects.toMatchObject({ reason: 'engine_unreachable' })
    const why = new Error('the caller left')
    await expect(
      tagDigest(
        parseReference(`${registryOf(context)}/web:1`),
        undefined,
        { plain: [] },
        { signal: AbortSignal.abort(why) },
      ),
    ).rejects.toBe(why)
  })
})

/** Or why there is none. */
function certificate(): { readonly key: string; readonly cert: string } | string {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-registry-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const what = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
    const whose = ['-subj', '/CN=registry', '-addext', 'subjectAltName=IP:0.0.0.0']
    execFileSync('openssl', ['req', ...what, ...whose, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } catch (error) {
    return `openssl made no certificate: ${String(error)}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

import { Secret } from '@gantry/core'
import { buildImage, imageArchive } from '@gantry/engines'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { tarArchive } from '../../tar/write.ts'
import { clearImage } from '../../testing/docker-clear.ts'
import { type ImageRig, imageRig } from '../../testing/image-rig.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const withoutTag = (reference: string): string => reference.replace(/:[^:/]*$/, '')

describe('what an image means now', () => {
  let found: Awaited<ReturnType<typeof imageRig>>
  beforeAll(async () => {
    found = await imageRig()
  })
  afterEach(() => ('docker' in found ? found.front.trouble() : undefined))
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): ImageRig => ('missing' in found ? skip(found.missing) : found)

  it('is what the registry says, also while an older one is here', async (context) => {
    const { push, images, docker, name } = rig(context)
    const tag = `${name('moving')}:1`
    const first = await push(tag)
    const own = images()
    const wanted = { image: first.reference, policy: 'if_not_present' } as const
    expect(await own.resolve(wanted, call)).toBe(`${withoutTag(first.reference)}@${first.digest}`)
    await docker.images.pull(first.reference, {}, call)
    const second = await push(tag)
    expect(await own.resolve(wanted, call)).toBe(`${withoutTag(first.reference)}@${second.digest}`)
  })

  it('is what is here, where the registry does not answer or nobody is to ask it', async (context) => {
    const { push, images, docker, front, name } = rig(context)
    const { reference, digest } = await push(`${name('here')}:1`)
    const own = images({ registryMs: 2_000 })
    await docker.images.pull(reference, {}, call)
    const meant = `${withoutTag(reference)}@${digest}`
    front.trouble({ status: 503, body: 'no' })
    expect(await own.resolve({ image: reference, policy: 'always' }, call)).toBe(meant)
    front.trouble('silent')
    expect(await own.resolve({ image: reference, policy: 'if_not_present' }, call)).toBe(meant)
    const asked = front.asked.length
    expect(await own.resolve({ image: reference, policy: 'never' }, call)).toBe(meant)
    expect(front.asked).toHaveLength(asked)
  })

  it('is the id of what was built here, where the engine may have it so', async (context) => {
    const { push, images, docker, name } = rig(context)
    const pushed = await push(`${name('built')}:1`)
    const content = Buffer.from(name('content'))
    const built = buildImage(tarArchive([{ path: 'built', mode: 0o644, content }]), {})
    await docker.images.load(imageArchive(built, pushed.reference), call)
    const own = images()
    const image = pushed.reference
    expect(await own.resolve({ image, policy: 'if_not_present' }, call)).toBe(built.id)
    expect(await own.resolve({ image, policy: 'never' }, call)).toBe(built.id)
    expect(await own.resolve({ image, policy: 'always' }, call)).toBe(`${withoutTag(image)}@${pushed.digest}`)
    await clearImage(docker, built.id, call)
  })

  it('is asked for with the login of the tenant, and not told to others', async (context) => {
    const { push, images, guarded, name } = rig(context)
    const front = await guarded({ username: 'me', password: 'open sesame' })
    const { reference, digest } = await push(`${name('private')}:1`)
    const image = reference.replace(/^[^/]+/, front.host)
    const [username, password] = [new Secret('me'), new Secret('open sesame')]
    const own = images()
    expect(await own.resolve({ image, policy: 'always' }, call)).toBeUndefined()
    const credentials = { version: 1, username, password }
    expect(await own.resolve({ image, policy: 'always', credentials }, call)).toBe(`${withoutTag(image)}@${digest}`)
  })

  it('is itself, where it can mean nothing else', async (context) => {
    const own = rig(context).images()
    for (const image of [`web@sha256:${'a'.repeat(64)}`, `sha256:${'a'.repeat(64)}`]) {
      expect(await own.resolve({ image, policy: 'always' }, call)).toBe(image)
    }
  })

  it('cannot be told of an image that nobody has', async (context) => {
    const { images, front } = rig(context)
    const image = `${front.host}/nobody/has-this:1`
    expect(await images().resolve({ image, policy: 'if_not_present' }, call)).toBeUndefined()
  })
})

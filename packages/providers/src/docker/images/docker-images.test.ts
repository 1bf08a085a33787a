import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type ImageRig, imageRig } from '../../testing/image-rig.ts'
import type { ImageState, ImageWant } from './images.ts'

const call = { signal: AbortSignal.timeout(600_000) }

const isHere = ({ state }: ImageState): boolean => state === 'here'
const isFailed = ({ state }: ImageState): boolean => state === 'failed'

const wanted = (image: string, more: Partial<ImageWant> = {}): ImageWant => ({
  image,
  policy: 'if_not_present',
  ...more,
})

describe('images on a real engine', () => {
  let found: Awaited<ReturnType<typeof imageRig>>
  beforeAll(async () => {
    found = await imageRig()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  afterEach(() => ('docker' in found ? found.front.trouble() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): ImageRig => ('missing' in found ? skip(found.missing) : found)

  it('are pulled in the background, with a sentence for who waits', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const { reference, id } = await push(`${name('web')}:1.2`, { bytes: 4_000_000 })
    const own = images()
    front.trouble({ holdAfter: 2_000_000 })
    const sentence = /^pulling (.*): [\d.]+ of 4 MB, 0 of 1 layer$/
    const pulling = await until(
      own,
      'me',
      wanted(reference),
      (state) => 'message' in state && sentence.test(state.message),
    )
    expect(sentence.exec('message' in pulling ? pulling.message : '')?.[1]).toBe(reference)
    expect(own.waiting('me')).toEqual({ only: pulling })
    front.trouble()
    expect(await until(own, 'me', wanted(reference), isHere)).toMatchObject({ state: 'here', image: { Id: id } })
    expect(own.waiting('me')).toEqual({})
  })

  it('are pulled once for all who want them', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const { reference } = await push(`${name('shared')}:1`, { bytes: 1_000_000 })
    const own = images()
    front.trouble({ holdAfter: 100_000 })
    const isUnderWay = () => front.underWay > 0
    await until(own, 'one', wanted(reference), isUnderWay)
    await own.ensure('other', { only: wanted(reference) }, call)
    front.trouble()
    const all = await Promise.all(['one', 'other'].map((owner) => until(own, owner, wanted(reference), isHere)))
    expect(all.map(({ state }) => state)).toEqual(['here', 'here'])
    const path = `/v2/${reference.slice(front.host.length + 1, -':1'.length)}/blobs/`
    // One for its settings and one for its layer.
    expect(front.asked.filter((each) => each.startsWith(`GET ${path}`))).toHaveLength(2)
  })

  it('are not pulled any more when nobody wants them', async (context) => {
    const { push, images, until, front, name, docker } = rig(context)
    const { reference } = await push(`${name('left')}:1`, { bytes: 4_000_000 })
    const own = images()
    front.trouble({ dripAfter: 100_000 })
    await until(own, 'me', wanted(reference), () => front.underWay === 1)
    own.leave('me')
    expect(own.waiting('me')).toEqual({})
    await expect.poll(() => front.underWay, { timeout: 30_000 }).toBe(0)
    front.trouble()
    expect(await docker.images.inspect(reference, call)).toBeUndefined()
  })

  it('that an owner does not want any more, since it wants another, are left', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const [old, next] = [await push(`${name('old')}:1`, { bytes: 4_000_000 }), await push(`${name('next')}:1`)]
    const own = images()
    front.trouble({ dripAfter: 100_000 })
    await until(own, 'me', wanted(old.reference), () => front.underWay === 1)
    expect(await until(own, 'me', wanted(next.reference), isHere)).toMatchObject({ image: { Id: next.id } })
    await expect.poll(() => front.underWay, { timeout: 30_000 }).toBe(0)
    front.trouble()
  })

  it('that are not there and must not be pulled are a clear word', async (context) => {
    const { push, images, front, name } = rig(context)
    const { reference } = await push(`${name('never')}:1`)
    const own = images()
    const before = front.asked.length
    const { only } = await own.ensure('me', { only: wanted(reference, { policy: 'never' }) }, call)
    expect(only).toMatchObject({ state: 'failed', reason: 'image_pull_failed' })
    expect(only && 'message' in only && only.message).toContain('imagePullPolicy is never')
    expect(own.waiting('me')).toEqual({ only })
    // It stays the same word, not a new one at every look.
    expect(await own.ensure('me', { only: wanted(reference, { policy: 'never' }) }, call)).toEqual({ only })
    expect(front.asked).toHaveLength(before)
  })

  it('are what the release meant, also when the tag has moved', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const tag = `${name('pinned')}:1`
    const first = await push(tag)
    const second = await push(tag)
    const own = images()
    const pinned = `${front.host}/${tag.replace(/:1$/, '')}@${first.digest}`
    const meant = await until(own, 'old', wanted(first.reference, { pinned }), isHere)
    expect(meant).toMatchObject({ image: { Id: first.id } })
    expect(await until(own, 'new', wanted(second.reference), isHere)).toMatchObject({ image: { Id: second.id } })
  })

  it('are asked for once more each time, where that is wanted', async (context) => {
    const { push, images, until, name } = rig(context)
    const tag = `${name('always')}:1`
    const want = wanted((await push(tag)).reference, { policy: 'always' })
    const own = images()
    await until(own, 'me', want, isHere)
    const { id } = await push(tag)
    expect(await until(own, 'me', want, isHere)).not.toMatchObject({ image: { Id: id } })
    own.leave('me')
    expect(await until(own, 'me', want, isHere)).toMatchObject({ image: { Id: id } })
  })

  it('that are here as released need no registry that answers, only none that refuses', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const tag = `${name('exact')}:1`
    const { reference, digest, id } = await push(tag)
    const pinned = `${front.host}/${tag.replace(/:1$/, '')}@${digest}`
    const want = wanted(reference, { pinned, policy: 'always' })
    const own = images()
    await until(own, 'me', want, isHere)
    own.leave('me')
    front.trouble({ status: 503, body: 'no' })
    expect(await until(own, 'me', want, isHere)).toMatchObject({ image: { Id: id } })
    own.leave('me')
    front.trouble({ status: 403, body: '{"errors":[{"code":"DENIED","message":"not for you"}]}' })
    expect(await until(own, 'me', want, isFailed)).toMatchObject({ reason: 'image_pull_failed' })
    front.trouble()
  })

  it('that were never in a registry and are gone cannot be had under a tag that means another', async (context) => {
    const { push, images, until, name } = rig(context)
    const { reference } = await push(`${name('gone')}:1`)
    const pinned = `sha256:${'0'.repeat(64)}`
    const state = await until(images(), 'me', wanted(reference, { pinned }), isFailed)
    expect(state).toMatchObject({ reason: 'image_pull_failed' })
    expect('message' in state && state.message).toContain(`means another one now than when it was released (${pinned})`)
  })

  it('for another kind of machine are had with a warning', async (context) => {
    const { push, images, until, name } = rig(context)
    const { reference } = await push(`${name('foreign')}:1`, { architecture: 's390x' })
    const state = await until(images(), 'me', wanted(reference), isHere)
    expect('warning' in state && state.warning).toMatch(
      /is for linux\/s390x, and this engine is linux\/\w+; it may not start/,
    )
    const other = await until(images(), 'me', wanted(reference, { platform: 'linux/amd64' }), isFailed)
    expect('message' in other && other.message).toContain('it is for linux/s390x, and linux/amd64 is asked for')
  })
})

import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type ImageRig, imageRig } from '../../testing/image-rig.ts'
import type { ImageState, ImageWant } from './images.ts'

const isHere = ({ state }: ImageState): boolean => state === 'here'
const isFailed = ({ state }: ImageState): boolean => state === 'failed'
const messageOf = (state: ImageState): string => ('message' in state ? state.message : '')
const saying = (words: RegExp) => (state: ImageState) => words.test(messageOf(state))

const wanted = (image: string): ImageWant => ({ image, policy: 'if_not_present' })

/** One that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('A server on a port has an address')
  return address.port
}

describe('a registry in trouble', () => {
  let found: Awaited<ReturnType<typeof imageRig>>
  beforeAll(async () => {
    found = await imageRig()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  afterEach(() => ('docker' in found ? found.front.trouble() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): ImageRig => ('missing' in found ? skip(found.missing) : found)

  it('that has no such image is quoted at once', async (context) => {
    const { images, until, front } = rig(context)
    const image = `${front.host}/nobody/has-this:1`
    const began = front.asked.length
    const state = await until(images(), 'me', wanted(image), isFailed)
    expect(messageOf(state)).toContain(`Image ${image} could not be pulled: manifest for ${image} not found`)
    expect(state).toMatchObject({ reason: 'image_pull_failed' })
    const tries = front.asked.slice(began).filter((each) => each.includes('/manifests/'))
    expect(new Set(tries)).toEqual(
      new Set(['HEAD /v2/nobody/has-this/manifests/1', 'GET /v2/nobody/has-this/manifests/1']),
    )
  })

  it('that is not there is tried some times, and then quoted', async (context) => {
    const { images, until } = rig(context)
    const image = `127.0.0.1:${await closedPort()}/web:1`
    const own = images()
    const first = await until(own, 'me', wanted(image), saying(/trying again$/))
    expect(first).toMatchObject({ state: 'pulling' })
    const state = await until(own, 'me', wanted(image), isFailed)
    expect(messageOf(state)).toMatch(/connection refused/)
  })

  it('that answers with errors for a while is got over', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const { reference, id } = await push(`${name('sick')}:1`)
    const own = images()
    front.trouble({ status: 500, body: 'oh' })
    const waiting = await until(own, 'me', wanted(reference), saying(/500 Internal Server Error; trying again$/))
    expect(waiting.state).toBe('pulling')
    front.trouble()
    expect(await until(own, 'me', wanted(reference), isHere)).toMatchObject({ image: { Id: id } })
  })

  it('that was asked too often is quoted at once', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const { reference } = await push(`${name('often')}:1`)
    front.trouble({ status: 429, body: '{"errors":[{"code":"TOOMANYREQUESTS","message":"slow down"}]}' })
    const state = await until(images(), 'me', wanted(reference), isFailed)
    expect(messageOf(state)).toMatch(/slow down; name a Secret with a login in imagePullSecret$/)
    front.trouble()
  })

  it('that breaks off in the middle of a layer is got over, and who waits is told', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const { reference, id } = await push(`${name('cut')}:1`, { bytes: 3_000_000 })
    const own = images()
    front.trouble({ cutAfter: 1_000_000 })
    const told = saying(/one broke off and is tried again$/)
    expect((await until(own, 'me', wanted(reference), told)).state).toBe('pulling')
    front.trouble()
    expect(await until(own, 'me', wanted(reference), isHere)).toMatchObject({ image: { Id: id } })
  })

  it('that goes silent in the middle is not waited for without end', async (context) => {
    const { push, images, until, front, name } = rig(context)
    const { reference, id } = await push(`${name('silent')}:1`, { bytes: 3_000_000 })
    const own = images({ silentMs: 3_000 })
    front.trouble({ holdAfter: 1_000_000 })
    const given = await until(own, 'me', wanted(reference), saying(/nothing was heard of it for 3 s; trying again$/))
    expect(given.state).toBe('pulling')
    front.trouble()
    expect(await until(own, 'me', wanted(reference), isHere)).toMatchObject({ image: { Id: id } })
  })
})

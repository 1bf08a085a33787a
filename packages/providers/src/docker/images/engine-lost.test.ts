import { systemClock } from '@gantry/core'
import { type PrivateEngine, startPrivate } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ImageRig, imageRig } from '../../testing/image-rig.ts'
import type { DockerApi } from '../api/api.ts'
import { connectDocker } from '../api/connect.ts'
import { dockerImages } from './docker-images.ts'
import type { ImageState, ImageWant } from './images.ts'

const call = { signal: AbortSignal.timeout(600_000) }

describe('an engine that is killed while it pulls', () => {
  let own: { readonly rig: ImageRig; readonly engine: PrivateEngine<'docker'>; readonly docker: DockerApi } | undefined
  let missing = ''
  beforeAll(async () => {
    const rig = await imageRig()
    if ('missing' in rig) {
      missing = rig.missing
      return
    }
    const engine = await startPrivate('docker', call)
    own = { rig, engine, docker: await connectDocker({ socket: engine.address.socket }, call) }
  })
  afterAll(async () => {
    own?.docker.close()
    await own?.engine.stop(call)
    await own?.rig.end()
  })

  it('pulls again when it is back, and no registry is blamed', async ({ skip }) => {
    if (!own) return skip(missing)
    const { rig, engine, docker } = own
    const { front, push, name } = rig
    const states: ImageState[] = []
    const images = dockerImages({ api: docker, clock: systemClock, changed: () => undefined })
    const { reference, id } = await push(`${name('killed')}:1`, { bytes: 3_000_000 })
    const want: ImageWant = { image: reference, policy: 'if_not_present' }
    front.trouble({ dripAfter: 500_000 })
    const look = async (): Promise<ImageState | undefined> => {
      const { only } = await images.ensure('me', { only: want }, call)
      if (only) states.push(only)
      return only
    }
    await expect.poll(async () => (await look()) && front.underWay, { timeout: 60_000 }).toBe(1)
    await engine.restart('immediate', call)
    front.trouble()
    await expect.poll(look, { timeout: 60_000 }).toMatchObject({ state: 'here', image: { Id: id } })
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['pulling', 'here']))
    expect(states.filter((state) => 'message' in state && /could not be pulled/.test(state.message))).toEqual([])
    const layers = front.asked.filter((each) =>
      each.startsWith(`GET /v2/${reference.slice(front.host.length + 1, -2)}/blobs/`),
    )
    // The engine had asked for all of it once before.
    expect(layers.length).toBeGreaterThan(2)
    await images.close()
  })
})

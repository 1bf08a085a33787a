import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import type { HostConfig } from '../api/types/containers.ts'
import { ensurePauseImage } from './ensure-image.ts'
import { pauseImage, pauseLabel } from './image.ts'
import { pausePrograms } from './programs.generated.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }

it('is below a kibibyte on every machine', () => {
  for (const text of Object.values(pausePrograms)) expect(Buffer.from(text, 'base64').length).toBeLessThan(1_024)
})

it('is another image where it is another program, and always the same where it is the same', () => {
  expect(pauseImage('amd64').reference).not.toBe(pauseImage('arm64').reference)
  expect(pauseImage('amd64').archive.equals(pauseImage('amd64').archive)).toBe(true)
})

describe('the pause image on a real engine', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  /** As the core makes them: nothing but what it was given. */
  async function holder({ docker, run }: RealDocker, more: HostConfig = {}): Promise<string> {
    const Image = await ensurePauseImage(docker, call)
    const HostConfig = { NetworkMode: 'none', ReadonlyRootfs: true, CapDrop: ['ALL'], PidsLimit: 1, ...more }
    return run([], { Image, HostConfig })
  }

  it('is loaded once, however many ask, and says whose it is', async (context) => {
    const { docker } = rig(context)
    const ids = await Promise.all([1, 2, 3].map(() => ensurePauseImage(docker, call)))
    expect(new Set(ids).size).toBe(1)
    const image = await docker.images.inspect(ids[0] ?? '', call)
    expect(image?.Config?.Labels).toHaveProperty([pauseLabel])
    expect(image?.Size).toBeLessThan(1_024)
    const { reference } = pauseImage('amd64')
    if (image?.Architecture === 'amd64') expect(image.RepoTags).toEqual([reference])
  })

  it.for(['TERM', 'INT'])('starts, and ends at SIG%s with 0 as process 1', async (name, context) => {
    const real = rig(context)
    const id = await holder(real)
    const ended = real.docker.containers.wait(id, 'not-running', call)
    expect((await real.docker.containers.inspect(id, call))?.State).toMatchObject({ Status: 'running' })
    await real.docker.containers.kill(id, name, call)
    expect(await ended).toBe(0)
  })

  /** A program that ends as an orphan, and whether process 1 has taken its remains away. */
  async function orphanState({ docker, run }: RealDocker, first: string): Promise<() => Promise<string>> {
    const script = "(sh -c 'echo $$ > /var/orphan; sleep 0.1' &); while :; do sleep 1000; done"
    const id = await run(['sh', '-c', script], { HostConfig: { PidMode: `container:${first}`, NetworkMode: 'none' } })
    const look = 'grep -s State /proc/$(cat /var/orphan)/status || echo gone'
    return async () => {
      const settings = {
        Cmd: ['sh', '-c', look],
        AttachStdin: false,
        AttachStdout: true,
        AttachStderr: false,
        Tty: false,
      }
      const exec = await docker.execs.create(id, settings, call)
      let text = ''
      for await (const { data } of (await docker.execs.start(exec, { tty: false }, call)).output) text += data
      return text
    }
  }

  it('reaps orphans, which a program that knows nothing of being process 1 does not', async (context) => {
    const real = rig(context)
    const patience = { timeout: 60_000, interval: 50 }
    const reaped = await orphanState(real, await holder(real))
    await vi.waitFor(async () => expect(await reaped()).toBe('gone\n'), patience)
    const left = await orphanState(real, await real.run(['sleep', '1000'], { HostConfig: { NetworkMode: 'none' } }))
    await vi.waitFor(async () => expect(await left()).toMatch(/zombie/), patience)
  })

  it('is loaded again after somebody took it away, and not where its name is something else', async (context) => {
    const { docker, address } = rig(context)
    const { Arch } = await docker.system.version(call)
    const images = { ...docker.images }
    const { reference } = pauseImage(Arch === 'arm64' ? 'arm64' : 'amd64')
    // Others use the real one at the same time: this one is only made to look so.
    let there: string | undefined
    images.inspect = async () => (there === undefined ? undefined : docker.images.inspect(there, call))
    images.load = async (archive) => {
      await docker.images.load(archive, call)
      there = reference
    }
    const id = await ensurePauseImage({ ...docker, images }, call)
    expect(id).toBe((await docker.images.inspect(reference, call))?.Id)
    there = address.image
    await expect(ensurePauseImage({ ...docker, images }, call)).rejects.toMatchObject({ reason: 'foreign_object' })
  })

  it('is not to be had on a machine that we have no program for', async (context) => {
    const { docker } = rig(context)
    const system = {
      ...docker.system,
      version: async () => ({ ...(await docker.system.version(call)), Arch: 's390x' }),
    }
    const refused = ensurePauseImage({ ...docker, system }, call)
    await expect(refused).rejects.toMatchObject({
      reason: 'capability_missing',
      message: expect.stringContaining('s390x'),
    })
  })
})

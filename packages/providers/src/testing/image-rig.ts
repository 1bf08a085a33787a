/** For tests about pulls: the rig's Docker with a registry before which somebody stands, and images that nobody has. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { systemClock } from '@gantry/core'
import { type BuiltImage, buildImage, engine, type ImageSettings, pushImage } from '@gantry/engines'
import { type DockerImagesOptions, dockerImages } from '../docker/images/docker-images.ts'
import type { ImageState, Images, ImageWant } from '../docker/images/images.ts'
import { tarArchive } from '../tar/write.ts'
import { clearImage } from './docker-clear.ts'
import { type RealDocker, realDocker } from './real-docker.ts'
import { type RegistryFront, registryFront } from './registry-front.ts'

const call = { signal: AbortSignal.timeout(15 * 60_000) }
const longestMs = 120_000

export type PushedImage = { readonly reference: string; readonly id: string; readonly digest: string }

export type ImageRig = RealDocker & {
  /** Whose images are asked for through the front. */
  readonly front: RegistryFront
  /** A front that lets in nobody else. */
  guarded(login: { readonly username: string; readonly password: string }): Promise<RegistryFront>
  /** The same name again moves its tag. `bytes`: of its only layer, which nobody has. */
  push(name: string, more?: PushOptions): Promise<PushedImage>
  /** Closed at the end. */
  images(options?: Partial<DockerImagesOptions>): Images
  /** Asks again whenever something may have changed, until the image of the only service is in a state like that. */
  until(images: Images, owner: string, want: ImageWant, reached: (state: ImageState) => boolean): Promise<ImageState>
}

export type PushOptions = {
  readonly bytes?: number
  readonly settings?: ImageSettings
  readonly architecture?: string
}

/** Or why there is none. */
export async function imageRig(): Promise<ImageRig | { readonly missing: string }> {
  const registry = await engine('registry', call)
  if (registry.state === 'missing') return { missing: registry.why }
  const real = await realDocker()
  if ('missing' in real) return real
  const { host } = registry.address
  const fronts = [await registryFront(host)]
  const [front] = fronts
  if (!front) throw new Error('There is a front')
  const opened: Images[] = []
  const ids: string[] = []
  let ring = (): void => undefined

  return {
    ...real,
    front,
    async guarded(login) {
      const guarded = await registryFront(host, login)
      fronts.push(guarded)
      return guarded
    },
    async push(name, { bytes = 1_000, settings = {}, architecture } = {}) {
      const layer = tarArchive([{ path: randomUUID(), mode: 0o644, content: randomBytes(bytes) }])
      const built = forMachine(buildImage(layer, settings), architecture)
      ids.push(built.id)
      const digest = await pushImage(built, `${host}/${name}`, call)
      return { reference: `${front.host}/${name}`, id: built.id, digest }
    },
    images(options = {}) {
      const images = dockerImages({ api: real.docker, clock: systemClock, changed: () => ring(), ...options })
      opened.push(images)
      return images
    },
    async until(images, owner, want, reached) {
      const deadline = performance.now() + longestMs
      for (;;) {
        const rung = new Promise<void>((resolve) => {
          ring = resolve
        })
        const { only } = await images.ensure(owner, { only: want }, call)
        if (only && reached(only)) return only
        if (performance.now() > deadline) throw new Error(`It stays ${JSON.stringify(only)}`)
        await Promise.race([rung, new Promise((resolve) => setTimeout(resolve, 100))])
      }
    },
    async end() {
      for (const each of opened) await each.close()
      for (const each of fronts) await each.close()
      for (const id of ids) await clearImage(real.docker, id, call)
      registry.release()
      await real.end()
    },
  }
}

/** As if it had been built there. */
function forMachine(built: BuiltImage, architecture: string | undefined): BuiltImage {
  if (architecture === undefined) return built
  const config = Buffer.from(JSON.stringify({ ...JSON.parse(built.config.toString('utf8')), architecture }))
  return { ...built, config, id: `sha256:${createHash('sha256').update(config).digest('hex')}` }
}

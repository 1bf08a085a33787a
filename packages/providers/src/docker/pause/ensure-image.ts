/** Holders need an image that nobody has to pull. */
import { type Call, Fault } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import { isPauseMachine, type PauseImage, pauseImage } from './image.ts'

/**
 * The id of the pause image on this engine, which is loaded where it is missing: at any time, as people clear unused images
 * away. Throws `foreign_object` where something else has its name, and `capability_missing` for a machine without one.
 */
export async function ensurePauseImage(api: Pick<DockerApi, 'images' | 'system'>, call: Call): Promise<string> {
  const wanted = await imageFor(api, call)
  const found = await idOf(api, wanted, call)
  if (found !== undefined) return found
  await api.images.load(wanted.archive, call)
  const loaded = await idOf(api, wanted, call)
  if (loaded !== undefined) return loaded
  throw new Fault(
    'engine_refused',
    `Docker took the image ${wanted.reference} in, and does not have it; is it removed by something?`,
  )
}

async function imageFor(api: Pick<DockerApi, 'system'>, call: Call): Promise<PauseImage> {
  const { Arch, Os } = await api.system.version(call)
  if (Os === 'linux' && isPauseMachine(Arch)) return pauseImage(Arch)
  const message = `Replicas of several services, or with files, need Docker on linux with amd64 or arm64, and this one runs on ${Os} with ${Arch}`
  throw new Fault('capability_missing', message)
}

async function idOf(
  api: Pick<DockerApi, 'images'>,
  { reference, layer }: PauseImage,
  call: Call,
): Promise<string | undefined> {
  const image = await api.images.inspect(reference, call)
  if (image === undefined) return undefined
  const layers = image.RootFS?.Layers ?? []
  if (layers.length === 1 && layers[0] === layer) return image.Id
  const message = `The image ${reference} is not the one that Gantry made; remove that name (docker image rm ${reference}), and it is loaded again`
  throw new Fault('foreign_object', message)
}

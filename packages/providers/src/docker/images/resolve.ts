/** What an image means now: a reference that will always mean the same. */
import { type Call, type Clock, isFault, withDeadline } from '@gantry/core'
import type { WantedImage } from '../../desired.ts'
import { isImageId, parseReference, sameRepository } from '../../images/reference.ts'
import type { ImagesApi } from '../api/api.ts'
import type { Image } from '../api/types/images.ts'
import { accountOf } from './accounts.ts'

export type ResolveDeps = {
  readonly images: Pick<ImagesApi, 'inspect' | 'distributed'>
  readonly clock: Clock
  readonly settings: string | undefined
  /** How long a registry may take, before what is here has to do. */
  readonly registryMs: number
}

export async function resolveImage(
  { image, policy, credentials }: WantedImage,
  deps: ResolveDeps,
  call: Call,
): Promise<string | undefined> {
  const { name, digest } = parseReference(image)
  if (isImageId(image) || digest !== undefined) return image
  const here = await deps.images.inspect(image, call)
  if (policy === 'never') return here && contentName(image, here)
  // Built or loaded here under this name: that is what is meant, whatever a registry has under the same.
  if (policy === 'if_not_present' && here && !digestName(image, here)) return here.Id
  const found = await askRegistry(image, credentials, deps, call)
  return found === undefined ? here && contentName(image, here) : `${name}@${found}`
}

/** Undefined where it does not say, for whatever reason: whether the image can be had is for a pull to find out. */
async function askRegistry(
  image: string,
  credentials: WantedImage['credentials'],
  { images, clock, settings, registryMs }: ResolveDeps,
  call: Call,
): Promise<string | undefined> {
  const deadline = withDeadline(clock, registryMs, `The registry's word on ${image}`, call)
  try {
    const { auth } = await accountOf(image, credentials, { settings, clock }, deadline)
    return (await images.distributed(image, auth, deadline)).Descriptor.digest
  } catch (error) {
    call.signal.throwIfAborted()
    if (isFault(error) && (error.reason === 'image_pull_failed' || error.reason === 'deadline_exceeded'))
      return undefined
    throw error
  } finally {
    deadline.clear()
  }
}

function digestName(image: string, { RepoDigests }: Image): string | undefined {
  return RepoDigests?.find((each) => sameRepository(each, image))
}

const contentName = (image: string, here: Image): string => digestName(image, here) ?? here.Id

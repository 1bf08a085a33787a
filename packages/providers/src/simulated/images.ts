/** Whether the images of a replica can be had: local ones are, others are pulled with the credentials that came along. */
import { contentHash } from '../content-hash.ts'
import type { DesiredService, PullCredentials } from '../desired.ts'
import type { SimulatedWorld } from './world.ts'

export function pullFailure(
  world: SimulatedWorld,
  services: readonly DesiredService[],
): { readonly service: string; readonly message: string } | undefined {
  for (const service of services) {
    const image = imageOf(service)
    const message = image === undefined ? undefined : whyNot(world, service, image)
    if (message !== undefined) return { service: service.name, message }
  }
  return undefined
}

/** What is really run: the content that was meant, where that is known. */
export const imageOf = ({ image, pinnedImage }: DesiredService): string | undefined => pinnedImage ?? image

/** Of an image in the registry, a name for its content; the content stays there under it when the tag moves. */
export function pinImage(
  world: SimulatedWorld,
  image: string,
  credentials: PullCredentials | undefined,
): string | undefined {
  const program = world.images.get(image)
  if (!program || !isKnown(world, image, credentials)) return undefined
  const pinned = `${image}@simulated:${contentHash(program)}`
  world.images.set(pinned, program)
  return pinned
}

function whyNot(world: SimulatedWorld, service: DesiredService, image: string): string | undefined {
  const { imagePullPolicy, imagePullSecret } = service
  const local = world.pulled.has(image)
  if (local && imagePullPolicy !== 'always') return undefined
  if (imagePullPolicy === 'never') return `image ${image} is not here, and must not be pulled`
  if (world.missingImages.has(image)) return `image ${image} was not found by the registry`
  return isKnown(world, image, imagePullSecret)
    ? undefined
    : `image ${image} was refused by the registry: authentication required`
}

/** A private image stays private under the name of its content. */
function isKnown(world: SimulatedWorld, image: string, credentials: PullCredentials | undefined): boolean {
  const wanted = world.privateImages.get(image.replace(/@simulated:.*$/, ''))
  if (!wanted) return true
  return credentials?.username.reveal() === wanted.username && credentials.password.reveal() === wanted.password
}

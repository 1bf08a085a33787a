/** Whether the images of a replica can be had: local ones are, others are pulled with the credentials that came along. */
import type { DesiredService } from '../desired.ts'
import type { SimulatedWorld } from './world.ts'

export function pullFailure(
  world: SimulatedWorld,
  services: readonly DesiredService[],
): { readonly service: string; readonly message: string } | undefined {
  for (const service of services) {
    const message = service.image === undefined ? undefined : whyNot(world, service, service.image)
    if (message !== undefined) return { service: service.name, message }
  }
  return undefined
}

function whyNot(world: SimulatedWorld, service: DesiredService, image: string): string | undefined {
  const { imagePullPolicy, imagePullSecret } = service
  const local = world.pulled.has(image)
  if (local && imagePullPolicy !== 'always') return undefined
  if (imagePullPolicy === 'never') return `image ${image} is not here, and must not be pulled`
  if (world.missingImages.has(image)) return `image ${image} was not found by the registry`
  const wanted = world.privateImages.get(image)
  const known =
    !wanted ||
    (imagePullSecret?.username.reveal() === wanted.username && imagePullSecret.password.reveal() === wanted.password)
  return known ? undefined : `image ${image} was refused by the registry: authentication required`
}

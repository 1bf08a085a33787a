/** What tags mean now, for those images that are new; the others stay what they were, also if their tag has moved. */
import type { Call, ServiceSpec } from '@gantry/core'
import type { DesiredService } from '../desired.ts'
import type { Engine } from '../engine.ts'
import type { Release } from '../release.ts'

/** `renewed` says of which services the tag is to be looked up again, though its text is the same. */
export async function pinImages(
  engine: Pick<Engine, 'resolveImage'>,
  services: readonly DesiredService[],
  running: Pick<Release, 'services' | 'images'> | undefined,
  renewed: (service: string) => boolean,
  call: Call,
): Promise<Readonly<Record<string, string>>> {
  const pins: Record<string, string> = {}
  for (const { name, image, imagePullPolicy: policy, imagePullSecret: credentials } of services) {
    if (image === undefined) continue
    const kept = renewed(name) ? undefined : pinned(running, name, image)
    const pin = kept ?? (await engine.resolveImage?.({ image, policy, ...(credentials && { credentials }) }, call))
    if (pin !== undefined) pins[name] = pin
  }
  return pins
}

function pinned(
  running: { readonly services: readonly ServiceSpec[]; readonly images: Release['images'] } | undefined,
  name: string,
  image: string,
): string | undefined {
  const same = running?.services.some((service) => service.name === name && service.image === image)
  return same ? running?.images[name] : undefined
}

/** From services that are wanted to a release: secrets by version, images by digest, and a number. */
import type { Call, ServiceSpec, SourceSpec } from '@gantry/core'
import { type Ref, refKey } from '../ref.ts'
import type { Release } from '../release.ts'
import type { Room } from './deps.ts'
import { stampedHash } from './draft-release.ts'
import { pinImages } from './pin-images.ts'
import { resolveSecrets } from './resolve-secrets.ts'
import { resolveSource } from './resolve-source.ts'

export type Draft = {
  readonly ref: Ref
  readonly services: readonly ServiceSpec[]
  /** Instead of services. */
  readonly source?: SourceSpec | undefined
  /** What it follows; the one that is wanted now, not the one with the highest number. */
  readonly running: Release | undefined
  readonly version: number
  /** Whose secrets are read, and whose tags are looked up, as they are now. */
  readonly renews: { secrets(service: string): boolean; images(service: string): boolean }
  /** Makes a new one also of equal content: a tag may have moved. */
  readonly always: boolean
}

/** The running one itself, where nothing has changed. */
export async function releaseFor(room: Room, draft: Draft, call: Call): Promise<Release> {
  const { ref, services, source, running, version, renews, always } = draft
  const kept = keptVersions(draft)
  const resolved = await resolveSecrets(room.secrets, ref.tenant, services, kept, call)
  const secretVersions = { ...resolved.versions, ...(await sourceVersions(room, draft, call)) }
  const content = { services, ...(source && { source }), secretVersions }
  const same = running !== undefined && stampedHash(content, running.stamp) === running.hash
  if (same && !always) return running
  const stamp = same ? room.ids() : undefined
  return {
    id: room.ids(),
    instance: refKey(ref),
    version,
    ...content,
    images: await pinImages(room.engine, resolved.services, running, renews.images, call),
    hash: stampedHash(content, stamp),
    ...(stamp === undefined ? {} : { stamp }),
    createdAt: new Date(room.clock.now()).toISOString(),
  }
}

/** What a chart is fetched with is read as it is now: an older password opens nothing. */
async function sourceVersions(room: Room, { ref, source }: Draft, call: Call): Promise<Record<string, number>> {
  const { versions } = await resolveSource(room.secrets, ref.tenant, source, {}, call)
  return versions
}

/** Versions of secrets that no service to be renewed refers to. */
function keptVersions({ services, running, renews }: Draft): Readonly<Record<string, number>> {
  const fresh = new Set(
    services
      .filter(({ name }) => renews.secrets(name))
      .flatMap(({ secrets, imagePullSecret }) => [...secrets.map(({ name }) => name), imagePullSecret]),
  )
  return Object.fromEntries(Object.entries(running?.secretVersions ?? {}).filter(([name]) => !fresh.has(name)))
}

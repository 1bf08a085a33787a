/** From what is on record to what an engine is asked for. */
import type { Call } from '@gantry/core'
import { contentHash } from '../content-hash.ts'
import { type Desired, type DesiredService, inPlaceUpdate } from '../desired.ts'
import type { InstanceRecord } from '../records.ts'
import type { Release } from '../release.ts'
import type { DesiredSource } from '../source.ts'
import type { Room } from './deps.ts'
import { resolveSecrets } from './resolve-secrets.ts'
import { resolveSource } from './resolve-source.ts'

export async function desiredOf(
  room: Pick<Room, 'installation' | 'secrets'>,
  record: InstanceRecord,
  release: Release,
  call: Call,
): Promise<Desired> {
  const { services } = await resolveSecrets(
    room.secrets,
    record.ref.tenant,
    release.services,
    release.secretVersions,
    call,
  )
  const pinned = services.map((service) => {
    const pinnedImage = release.images[service.name]
    return pinnedImage === undefined ? service : { ...service, pinnedImage }
  })
  const { source } = await resolveSource(room.secrets, record.ref.tenant, release.source, release.secretVersions, call)
  return assemble(room.installation, record, release, pinned, source)
}

/** Pure. */
export function assemble(
  installation: string,
  record: InstanceRecord,
  release: Release,
  services: readonly DesiredService[],
  source?: DesiredSource,
): Desired {
  const { ref, labels, type, run, replicas, restart, strategy, stopGraceSeconds, expose, engine } = record
  return {
    ref,
    installation,
    labels,
    type,
    run,
    replicas,
    release: release.id,
    specHash: replicaHash(record, release.hash),
    services,
    ...(source && { source }),
    restart,
    update: inPlaceUpdate(strategy, type),
    stopGraceSeconds,
    expose,
    engine,
  }
}

/**
 * Of all that a replica is made of; how many there are and how they are replaced changes in place. So do labels, which say
 * nothing to a program: nothing that runs is replaced for their sake.
 */
export function replicaHash(
  { type, engine, restartStamp }: Pick<InstanceRecord, 'type' | 'engine' | 'restartStamp'>,
  releaseHash: string,
): string {
  return contentHash({ release: releaseHash, type, engine, restartStamp })
}

/** From an Instance and its Release to what an engine is asked for: secrets and contents are values here, and only here. */
import type { Call, ServiceSpec, SourceSpec, WorkloadSpec } from '@gantry/core'
import {
  type Desired,
  type DesiredService,
  type DesiredSource,
  type InPlaceUpdate,
  type Ref,
  replicaHash,
  resolveSecrets,
  resolveSource,
  type SecretSource,
  type Slot,
} from '@gantry/providers'
import type { Vault } from '../vault/vault.ts'
import { openServices } from './sealed-services.ts'
import { openSource } from './sealed-source.ts'

/** Where values come from. */
export type DesiredSources = {
  readonly installation: string
  readonly secrets: SecretSource
  readonly contents: Pick<Vault, 'openContent'>
}

/** What of an Instance an engine has to know. */
export type WantedInstance = Pick<
  WorkloadSpec,
  'replicas' | 'run' | 'restartStamp' | 'type' | 'restart' | 'stopGraceSeconds' | 'expose' | 'engine'
> & {
  readonly workload: string
  readonly uid: string
  readonly slot: Slot
  readonly update: InPlaceUpdate
  readonly labels: Readonly<Record<string, string>>
}

/** What of a Release an engine has to know. */
export type WantedRelease = {
  readonly number: number
  readonly hash: string
  readonly services: readonly ServiceSpec[]
  readonly source?: SourceSpec | undefined
  readonly secretVersions: Readonly<Record<string, number>>
  readonly images: Readonly<Record<string, string>>
}

export function refOf(tenant: string, { workload, uid, slot }: Pick<WantedInstance, 'workload' | 'uid' | 'slot'>): Ref {
  return { tenant, workload, uid, slot }
}

/** Of a replica as this release and instance want it: what a replica on an engine carries when it is current. */
export function specHashOf(instance: WantedInstance, release: Pick<WantedRelease, 'hash'>): string {
  return replicaHash(instance, release.hash)
}

/** `secret_not_found` if the vault has lost what the release was made with. */
export async function desiredFor(
  tenant: string,
  instance: WantedInstance,
  release: WantedRelease,
  { installation, secrets, contents }: DesiredSources,
  call: Call,
): Promise<Desired> {
  const owner = { tenant, owner: instance.uid }
  const opened = await openServices(contents, owner, release.services, call)
  const { services } = await resolveSecrets(secrets, tenant, opened, release.secretVersions, call)
  const written = release.source && (await openSource(contents, owner, release.source, call))
  const { source } = await resolveSource(secrets, tenant, written, release.secretVersions, call)
  return assembleDesired(tenant, instance, release, { services, source }, installation)
}

/** What is wanted, with everything looked up already. */
export type DesiredContent = {
  readonly services: readonly DesiredService[]
  readonly source?: DesiredSource | undefined
}

/** Pure: with everything looked up already. */
export function assembleDesired(
  tenant: string,
  instance: WantedInstance,
  release: Omit<WantedRelease, 'services' | 'source' | 'secretVersions'>,
  { services, source }: DesiredContent,
  installation: string,
): Desired {
  const { labels, type, run, replicas, restart, update, stopGraceSeconds, expose, engine } = instance
  return {
    ref: refOf(tenant, instance),
    installation,
    labels,
    type,
    run,
    replicas,
    release: `v${release.number}`,
    specHash: specHashOf(instance, release),
    services: services.map((service) => {
      const pinnedImage = release.images[service.name]
      return pinnedImage === undefined ? service : { ...service, pinnedImage }
    }),
    ...(source && { source }),
    restart,
    update,
    stopGraceSeconds,
    expose,
    engine,
  }
}

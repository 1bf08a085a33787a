/** Makes what a replica is made of, piece by piece. Each step may be asked for again: what is there already is taken up. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import { engineLabel, labelsOf } from '../../labels.ts'
import { type Ref, refName } from '../../ref.ts'
import type { DockerApi } from '../api/api.ts'
import type { CreateContainer, CreatedContainer } from '../api/types/containers.ts'
import type { ImageUsers } from '../files/image-users.ts'
import { placeFiles } from '../files/place.ts'
import { planFiles } from '../files/plan.ts'
import { filesVolume } from '../files/volume.ts'
import type { ImageState, Images, ImageWant } from '../images/images.ts'
import type { Machine } from '../machine.ts'
import { filesVolumeName, networkName, replicaVolume } from '../names.ts'
import type { TenantNetworks } from '../networks.ts'
import { ensurePauseImage } from '../pause/ensure-image.ts'
import { holderContainer, holderName, type Placement, serviceContainer, serviceName } from '../plan/container.ts'
import { type ReplicaRecord, recordFrom } from '../plan/record.ts'
import { passingVolumes } from '../plan/volumes.ts'
import { otherWarnings } from '../plan/warnings.ts'
import type { Volumes } from '../volumes.ts'

export type BuilderParts = {
  readonly api: DockerApi
  readonly installation: string
  readonly machine: Machine
  readonly images: Images
  readonly networks: TenantNetworks
  readonly volumes: Volumes
  readonly users: ImageUsers
}

/** A container, and what the daemon warned of when it made it. */
export type Made = { readonly id: string; readonly warnings: readonly string[] }

export class Builder {
  readonly #parts: BuilderParts
  /** The image of holders, once it is known to be there. */
  #pause: string | undefined

  constructor(parts: BuilderParts) {
    this.#parts = parts
  }

  /** Where the images of all services are; never waits for a pull. */
  images({ services }: Desired, engineId: string, call: Call): Promise<Readonly<Record<string, ImageState>>> {
    const wants = services.map(({ name, image = '', imagePullPolicy: policy, imagePullSecret, pinnedImage }) => {
      const want: ImageWant = {
        image,
        policy,
        ...(imagePullSecret ? { credentials: imagePullSecret } : {}),
        ...(pinnedImage === undefined ? {} : { pinned: pinnedImage }),
      }
      return [name, want] as const
    })
    return this.#parts.images.ensure(engineId, Object.fromEntries(wants), call)
  }

  /** It may be gone: looked for again before the next start. */
  forgetNetwork({ tenant }: Ref): void {
    this.#parts.networks.forget(tenant)
  }

  /** What was made of them is there: they are no longer waited for. */
  haveImages(engineId: string): void {
    this.#parts.images.leave(engineId)
  }

  /** The volumes, side by side. */
  async placement(desired: Desired, record: ReplicaRecord, call: Call): Promise<Placement> {
    const { volumes, machine, installation } = this.#parts
    const files = planFiles(desired.services)
    const labels = { ...labelsOf(desired, { replica: record.index }), [engineLabel]: record.engineId }
    const network = networkName(installation, desired.ref.tenant)
    const [filesIn] = await Promise.all([
      files.length === 0 ? undefined : volumes.make(filesVolume(filesVolumeName(record.engineId), labels, files), call),
      volumes.take(desired, record.index, call),
      ...passingVolumes(desired, record).map((volume) => volumes.make(volume, call)),
    ])
    return { record, network, enforces: machine.enforces, files, filesVolume: filesIn }
  }

  /** The tenant's, which containers can be made before, and started only after. */
  async network({ tenant }: Ref, call: Call): Promise<void> {
    await this.#parts.networks.ensure(tenant, call)
  }

  /** Answers its id. */
  async holder(desired: Desired, placement: Placement, call: Call): Promise<string> {
    const make = async (image: string): Promise<string> => {
      const settings = holderContainer(desired, image, placement)
      return (await this.#create(holderName(placement.record), settings, placement, call)).Id
    }
    try {
      if (this.#pause !== undefined) return await make(this.#pause)
    } catch (error) {
      // People clear unused images away.
      if (!isFault(error) || error.reason !== 'engine_object_not_found') throw error
    }
    this.#pause = await ensurePauseImage(this.#parts.api, call)
    return await make(this.#pause)
  }

  /** Where it has files, they must have been placed. `warning` is of its image. */
  async service(
    desired: Desired,
    service: DesiredService,
    image: { readonly id: string; readonly warning: string | undefined },
    placement: Placement,
    call: Call,
  ): Promise<Made> {
    const settings = serviceContainer(desired, service, image.id, placement, image.warning)
    const made = await this.#create(serviceName(placement.record, service.name), settings, placement, call)
    return { id: made.Id, warnings: otherWarnings(image.warning, made.Warnings) }
  }

  /** Through the holder, which runs; each file of who reads it. */
  async files(
    { services }: Desired,
    { files }: Placement,
    imageOf: (service: string) => string,
    holder: string,
    call: Call,
  ): Promise<void> {
    const readers = services.filter(({ name }) => files.some(({ service }) => service === name))
    const owners = await Promise.all(
      readers.map(async ({ name, user }) => {
        const image = imageOf(name)
        const who = user ?? (await this.#parts.api.images.inspect(image, call))?.Config?.User ?? ''
        const owner = await this.#parts.users.owner(image, who, call)
        return [name, owner] as const
      }),
    )
    await placeFiles(this.#parts.api, holder, files, Object.fromEntries(owners), call)
  }

  /** What only this replica had; the containers that had it are gone. */
  async clear({ engineId, files, volumes }: ReplicaRecord, call: Call): Promise<void> {
    const names = [
      ...volumes.map((name) => replicaVolume(engineId, name)),
      ...(files ? [filesVolumeName(engineId)] : []),
    ]
    await Promise.all(names.map((name) => this.#parts.volumes.remove(name, call)))
    this.#parts.images.leave(engineId)
  }

  async #create(name: string, settings: CreateContainer, { record }: Placement, call: Call): Promise<CreatedContainer> {
    const { api, installation } = this.#parts
    try {
      return await api.containers.create(name, settings, call)
    } catch (error) {
      if (!isFault(error) || error.reason !== 'engine_object_exists') throw error
      const there = await api.containers.inspect(name, call)
      if (!there) throw error
      const theirs = recordFrom(installation, there.Config.Labels ?? {})
      if (theirs?.engineId === record.engineId) return { Id: there.Id, Warnings: null }
      if (theirs) throw new Fault('engine_object_conflict', `${name} of an earlier replica is still there`)
      const message = `container ${name} is there and is not ours; it is left alone: remove or rename it`
      throw new Fault('foreign_object', `${refName(record.ref)} cannot be made: ${message}`)
    }
  }
}

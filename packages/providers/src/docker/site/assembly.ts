/** Makes what is missing of a replica, and has the holder of a group run with its files. */
import { type Call, isFault } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import type { DockerApi } from '../api/api.ts'
import { filesPlaced } from '../files/place.ts'
import type { ImageState } from '../images/images.ts'
import type { Placement } from '../plan/container.ts'
import type { Builder } from './builder.ts'
import { hasEnded } from './facts.ts'
import type { Handling } from './handling.ts'
import { isPassing } from './refusal.ts'
import type { Renewals } from './renewals.ts'
import type { ReplicaState } from './replica-state.ts'
import type { Runner } from './runner.ts'
import { lives, runs } from './seen.ts'

export type AssemblyParts = {
  readonly api: DockerApi
  readonly builder: Builder
  readonly state: ReplicaState
  readonly handling: Handling
  readonly runner: Runner
  readonly renewals: Renewals
  readonly changed: () => void
  /** Another number whenever the daemon was out of reach. */
  readonly connection: () => number
}

export class Assembly {
  readonly #parts: AssemblyParts
  #images: Readonly<Record<string, ImageState>> = {}
  /** Services whose image could not be had when it was last tried. */
  readonly #imageless = new Set<string>()
  /** All of it was there once: what is missing from then on, somebody has taken away. */
  #built = false
  /** The run of the holder that has the files, and the connection to the daemon that we saw them through. */
  #filled: { readonly run: string; readonly connection: number } | undefined

  constructor(parts: AssemblyParts) {
    this.#parts = parts
  }

  /** False: there is something to wait for first. What somebody has taken away is made again only when `mending`. */
  async complete(desired: Desired, mending: boolean, call: Call): Promise<boolean> {
    const { state, runner, builder } = this.#parts
    const { record, holder } = state
    const missing = desired.services.filter(({ name }) => !state.services.get(name)?.container)
    const isWhole = missing.length === 0 && (!record.group || holder !== undefined)
    if (isWhole) this.#built = true
    else if (this.#built && !mending) return false
    // Made by somebody who did not get further: what it is to join may still be on its way.
    if (isWhole && !runs(state.owner)) await builder.network(record.ref, call)
    if (isWhole && (!record.group || (runs(holder) && !this.#needsFiles()))) return true
    if (!isWhole && !(await this.#imagesHere(desired, call))) return false
    const blamed = this.#blamed(missing)
    if (runner.isTooSoon(blamed)) return false
    try {
      if (!(await this.#make(desired, missing, call))) return false
    } catch (error) {
      if (!isFault(error) || isPassing(error) || error.reason === 'foreign_object') throw error
      return runner.couldNot(blamed, error)
    }
    this.#built = true
    runner.could(blamed)
    builder.haveImages(record.engineId)
    return true
  }

  /** News of images on their way. */
  note(states: Readonly<Record<string, ImageState>>): void {
    const { state, changed } = this.#parts
    for (const [name, image] of Object.entries(states)) {
      const service = state.services.get(name)
      if (!service) continue
      const failed = image.state === 'failed' ? image : image.state === 'pulling' ? image.failed : undefined
      const pulling = image.state === 'pulling' ? image.message : undefined
      if (service.pulling !== pulling) changed()
      service.pulling = pulling
      // Other trouble of it is not over because its image is here.
      if (failed) service.trouble({ reason: failed.reason, message: failed.message })
      else if (this.#imageless.delete(name)) service.trouble(undefined)
      if (failed) this.#imageless.add(name)
    }
  }

  /** False: what was there of it had to be taken away. */
  async #make(desired: Desired, missing: readonly DesiredService[], call: Call): Promise<boolean> {
    const { builder, state } = this.#parts
    const placement = await builder.placement(desired, state.record, call)
    const hasFiles = ({ name }: DesiredService): boolean => placement.files.some(({ service }) => service === name)
    const make = (service: DesiredService): Promise<void> => this.#makeService(desired, service, placement, call)
    // Who waits for the network is made meanwhile.
    const [isHeld] = await Promise.all([
      this.#hold(desired, placement, call),
      ...missing.filter((service) => !hasFiles(service)).map(make),
    ])
    if (!isHeld) return false
    if (this.#needsFiles() && !(await this.#fill(desired, placement, call))) return false
    await Promise.all(missing.filter(hasFiles).map(make))
    return true
  }

  /** The network is there, and in a group the holder that has it runs. False: that had to be taken away. */
  async #hold(desired: Desired, placement: Placement, call: Call): Promise<boolean> {
    const { builder, state, handling, renewals } = this.#parts
    const { ref, group } = state.record
    const makesHolder = group && !state.holder
    await Promise.all([
      builder.network(ref, call),
      makesHolder ? builder.holder(desired, placement, call).then((id) => handling.look(id, call)) : undefined,
    ])
    const { holder } = state
    if (!group || runs(holder)) return true
    if (!holder || !(await renewals.start(holder, call))) return false
    state.held()
    return true
  }

  /** Only what is about to start needs them; and a daemon that was started anew may have forgotten them. */
  #needsFiles(): boolean {
    const { state, connection } = this.#parts
    const isIdle = [...state.services.values()].every(({ container, facts }) => lives(container) || hasEnded(facts))
    if (!state.record.files || isIdle) return false
    return this.#filled?.run !== state.holder?.run || this.#filled?.connection !== connection()
  }

  /** False: the holder has ended meanwhile, and taken them with it. */
  async #fill(desired: Desired, placement: Placement, call: Call): Promise<boolean> {
    const { api, builder, state, handling, connection } = this.#parts
    const id = state.holder?.id ?? ''
    if (!(await filesPlaced(api, id, call))) {
      // Memory that it had and that is gone: it gets new one only when it is started.
      const isUsed = [...state.services.values()].some(
        ({ container, stale }) => container?.startedAt !== undefined && !stale,
      )
      if (isUsed) await handling.watched(id, api.containers.restart(id, 0, call), call)
      state.held()
      const run = state.holder?.run
      try {
        await builder.files(desired, placement, (name) => this.#imageOf(name), id, call)
      } catch (error) {
        await handling.look(id, call)
        if (runs(state.holder) && state.holder?.run === run) throw error
        return false
      }
    }
    this.#filled = { run: state.holder?.run ?? '', connection: connection() }
    return true
  }

  async #makeService(desired: Desired, service: DesiredService, placement: Placement, call: Call): Promise<void> {
    const { builder, handling, state } = this.#parts
    const { name } = service
    const found = this.#images[name]
    const image = { id: this.#imageOf(name), warning: found?.state === 'here' ? found.warning : undefined }
    const made = await builder.service(desired, service, image, placement, call)
    state.services.get(name)?.warned(made)
    await handling.look(made.id, call)
  }

  #imageOf(service: string): string {
    const image = this.#images[service]
    return this.#parts.state.services.get(service)?.container?.image ?? (image?.state === 'here' ? image.image.Id : '')
  }

  async #imagesHere(desired: Desired, call: Call): Promise<boolean> {
    const { builder, state } = this.#parts
    this.#images = await builder.images(desired, state.record.engineId, call)
    this.note(this.#images)
    return Object.values(this.#images).every((image) => image.state === 'here')
  }

  /** Which service a failure of the whole is about: who wants a port of the machine, else the first that is missing. */
  #blamed(missing: readonly DesiredService[]): string {
    const { services } = this.#parts.state.record
    const binding = services.find(({ ports }) => ports.some(({ hostPort }) => hostPort > 0))
    return binding?.name ?? missing[0]?.name ?? services[0]?.name ?? ''
  }
}

/** Releases of one cluster: the parts, put together. */
import { type Call, Fault, type Issue, isFault } from '@gantry/core'
import type { EngineStep } from '../../engine-step.ts'
import type { Observation, Observed } from '../../observed.ts'
import { type Pass, waitFor } from '../../pass.ts'
import { type Ref, refKey } from '../../ref.ts'
import { observations } from '../../tended/observations.ts'
import { resources } from '../api/resources.ts'
import { containersBehind } from '../manifests/look.ts'
import { ownRooms, type Rooms } from '../room/rooms.ts'
import { roomsIn } from '../room/rooms-in.ts'
import type { SetContainer } from '../sources/source-keeper.ts'
import { checkChart } from './check.ts'
import type { DesiredChart, HelmOptions, HelmReleases, Revision } from './helm.ts'
import { HelmPasses } from './passes.ts'
import { planChart } from './plan.ts'
import { recordSelector } from './record.ts'
import { type KnownRevision, toldOf } from './release/revisions.ts'
import { sweepRuns } from './run/folder.ts'
import { Liveness } from './run/liveness.ts'
import { thisMachine } from './run/machine.ts'
import { HelmRunner } from './runner.ts'
import { HelmStore, type Stored } from './store.ts'
import { readLive } from './view/live.ts'
import { engineIdPrefix, observedOf, placeIn } from './view/observed.ts'
import { servicesOf } from './view/services.ts'
import { StallMemory } from './view/stall-memory.ts'
import { HelmSite } from './watch/helm-site.ts'

const againMs = 50

export class Releases implements HelmReleases {
  readonly #options: HelmOptions
  readonly #store: HelmStore
  readonly #runner: HelmRunner
  readonly #passes: HelmPasses
  readonly #stalls: StallMemory
  readonly #site: HelmSite
  readonly #rooms: Rooms
  #swept: Promise<void> | undefined

  constructor(options: HelmOptions) {
    const { api, clock, installation, namespaceOf } = options
    const here = thisMachine()
    this.#options = options
    this.#stalls = new StallMemory(clock)
    this.#store = new HelmStore({ objects: api.objects, clock, installation, namespaceOf })
    this.#rooms = options.rooms ?? ownRooms(options)
    this.#site = new HelmSite(options, this.#stalls, this.#rooms)
    this.#runner = new HelmRunner({ options, store: this.#store, here, changed: (ref) => this.#site.ring(ref) })
    this.#passes = new HelmPasses({
      options,
      store: this.#store,
      runner: this.#runner,
      liveness: new Liveness(clock, here),
      observed: (stored, history, call) => this.#observed(stored, history, call),
    })
  }

  check(desired: DesiredChart): readonly Issue[] {
    return checkChart(desired, this.#options)
  }

  plan(desired: DesiredChart | undefined, observed: Observed | undefined): readonly EngineStep[] {
    return planChart(desired, observed)
  }

  async converge(desired: DesiredChart, call: Call): Promise<Pass> {
    await this.#sweep()
    return await orElsewhere(() => this.#passes.converge(desired, call))
  }

  async remove(ref: Ref, call: Call): Promise<Pass> {
    await this.#sweep()
    const pass = await orElsewhere(() => this.#passes.remove(ref, call))
    if (pass.state === 'done') this.#stalls.forget(refKey(ref))
    return pass
  }

  async look(ref: Ref, call: Call): Promise<Observed | undefined> {
    const stored = await this.#store.record(ref, call)
    return stored?.ref.uid === ref.uid ? await this.#observed(stored, undefined, call) : undefined
  }

  observe(call: Call): AsyncIterable<Observation> {
    return observations(this.#site, call)
  }

  async containersOf(engineId: string, service: string, call: Call): Promise<readonly SetContainer[]> {
    const place = placeIn(engineId)
    const stored = place && (await this.#store.recordAt(place, call))
    if (!stored) throw new Fault('replica_not_found', `There is no release of Helm with the id ${engineId} any more`)
    const { namespace } = place
    const history = await this.#store.history(namespace, stored.record.releaseName, call)
    const { objects, pods } = await readLive(history.at(-1), namespace, this.#options.api, call)
    const found = objects.find(({ name }) => name === service)
    if (!found) {
      const names = objects.map(({ name }) => name).join(', ')
      throw new Fault(
        'service_not_found',
        `The release ${stored.record.releaseName} has no ${service}; it has ${names}`,
      )
    }
    return typeof found.object === 'object' ? containersBehind(found.object, pods) : []
  }

  owns(engineId: string): boolean {
    return engineId.startsWith(engineIdPrefix)
  }

  async hasAny(namespace: string, call: Call): Promise<boolean> {
    const { api, installation } = this.#options
    const which = { labelSelector: recordSelector(installation), metadataOnly: true }
    const { items } = await api.objects.list({ resource: resources.secret, namespace }, which, call)
    return items.length > 0
  }

  async history(ref: Ref, call: Call): Promise<readonly Revision[]> {
    const stored = await this.#store.record(ref, call)
    if (stored?.ref.uid !== ref.uid) return []
    const namespace = this.#options.namespaceOf(ref.tenant)
    const all = await this.#store.history(namespace, stored.record.releaseName, call)
    return all.map((revision) => toldOf(revision, all, stored.record.known))
  }

  async close(): Promise<void> {
    await this.#runner.close()
    await this.#site.close()
  }

  async #observed(stored: Stored, known: readonly KnownRevision[] | undefined, call: Call): Promise<Observed> {
    const { api, clock, namespaceOf, via = 'direct' } = this.#options
    const namespace = namespaceOf(stored.ref.tenant)
    const history = known ?? (await this.#store.history(namespace, stored.record.releaseName, call))
    const live = await readLive(history.at(-1), namespace, api, call)
    const roomOf = await roomsIn(this.#rooms, live.pods, call)
    const now = new Date(clock.now())
    const stallAt = (message: string): Date => this.#stalls.at(refKey(stored.ref), message)
    return observedOf(stored, history, servicesOf(live, { via, now, roomOf }), stallAt, now)
  }

  /** What a life before has left in our folder, once. */
  #sweep(): Promise<void> {
    this.#swept ??= sweepRuns(this.#options.folder, this.#options.clock.now())
    return this.#swept
  }
}

/** Somebody else has written into the record since it was read: a helm that has just ended, or another server. */
async function orElsewhere(pass: () => Promise<Pass>): Promise<Pass> {
  try {
    return await pass()
  } catch (error) {
    const isElsewhere =
      isFault(error) && (error.reason === 'version_conflict' || error.reason === 'engine_object_exists')
    if (!isElsewhere) throw error
    return waitFor('what was written about it in the meantime', againMs)
  }
}

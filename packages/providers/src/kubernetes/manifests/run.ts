/** The part of a pass over a set that writes. */
import type { Call, Fault } from '@gantry/core'
import { done, type Pass, waitFor } from '../../pass.ts'
import { refKey } from '../../ref.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { applyWave, refusalOf, type Wanted } from './apply.ts'
import { storageClasses } from './classes.ts'
import { entryAfter, entryOf } from './entries.ts'
import { textAt } from './fields.ts'
import { isClaim, unusedClaim } from './health/claims.ts'
import { healthOf } from './health/health.ts'
import { isWell, waiting } from './health/verdict.ts'
import { kindKey } from './kinds.ts'
import type { DesiredSet } from './manifests.ts'
import { ownedHash } from './owned.ts'
import { ownerOf, type SetParts, selectorOf } from './parts.ts'
import { type Entry, entryId, type SetRecord, sameEntry, shownName } from './record/record.ts'
import type { Stored } from './record/store.ts'
import type { Survey } from './survey.ts'
import { listOf, takeAway } from './take-away.ts'

const soonMs = 100
const laterMs = 500

export class Run {
  readonly #parts: SetParts
  readonly #desired: DesiredSet
  readonly #wanted: readonly Wanted[]
  readonly #live: Survey
  readonly #restart: string | undefined
  #stored: Stored | undefined
  /** By id; in the order of the set, then those that leave. */
  readonly #entries = new Map<string, Entry>()
  readonly #applied = new Map<string, KubeObject>()

  constructor(
    parts: SetParts,
    desired: DesiredSet,
    wanted: readonly Wanted[],
    live: Survey,
    before: Stored | undefined,
    restart: string | undefined,
  ) {
    this.#parts = parts
    this.#desired = desired
    this.#wanted = wanted
    this.#live = live
    this.#stored = before
    this.#restart = restart
    const known = new Map(before?.record.entries.map((entry) => [entryId(entry), entry]))
    const owner = ownerOf(parts.options, desired.ref)
    for (const each of wanted) {
      this.#entries.set(each.id, entryOf(each, known.get(each.id), live.get(each.id), owner))
    }
    for (const [id, entry] of known) if (!this.#entries.has(id)) this.#entries.set(id, { ...entry, leaving: true })
  }

  async pass(call: Call): Promise<Pass> {
    const isWhole = this.#stored?.record.applied === true && this.#isSame(this.#stored.record)
    await this.#save(isWhole, call)
    // Nothing of the old may be beside the new.
    if (this.#desired.update.type === 'recreate') {
      const waiting = await this.#prune(call)
      if (waiting !== undefined) return waitFor(waiting, laterMs)
    }
    const { gate, refused } = await this.#applyAll(call)
    // What was applied is written down also where the rest could not be, or the next pass would do it again.
    await this.#save(isWhole || (gate === undefined && refused === undefined), call)
    if (refused) throw refused
    if (gate !== undefined) return waitFor(gate, soonMs)
    const unready = await this.#unready(call)
    if (unready !== undefined) return unready
    const waiting = await this.#prune(call)
    return waiting === undefined ? done : waitFor(waiting, laterMs)
  }

  #isSame({ release, specHash, run, restart }: SetRecord): boolean {
    const desired = this.#desired
    return (
      release === desired.release && specHash === desired.specHash && run === desired.run && restart === this.#restart
    )
  }

  /** Writes the record, if it says anything new. */
  async #save(applied: boolean, call: Call): Promise<void> {
    const { ref, release, specHash, run } = this.#desired
    const entries = [...this.#entries.values()]
    const before = this.#stored?.record
    const isSame =
      before !== undefined &&
      this.#isSame(before) &&
      before.applied === applied &&
      before.entries.length === entries.length &&
      before.entries.every((entry) => {
        const now = this.#entries.get(entryId(entry))
        return now !== undefined && sameEntry(entry, now)
      })
    if (isSame) return
    const namespace = this.#parts.options.namespaceOf(ref.tenant)
    const restart = this.#restart === undefined ? {} : { restart: this.#restart }
    const record: SetRecord = { ref, namespace, release, specHash, run, applied, ...restart, entries }
    this.#stored = await this.#parts.records.write(record, this.#stored, call)
  }

  /** `gate`: a sentence where something must come first. */
  async #applyAll(call: Call): Promise<{ readonly gate?: string; readonly refused?: Fault }> {
    const { api } = this.#parts.options
    for (const rank of [...new Set(this.#wanted.map((each) => each.rank))].sort((left, right) => left - right)) {
      const wave = this.#wanted.filter((each) => each.rank === rank && this.#needsApply(each))
      const gate = this.#undefinedKind(wave) ?? (await this.#withoutAccount(wave, call))
      if (gate !== undefined) return { gate }
      const { objects, refused } = await applyWave(api.objects, wave, call)
      for (const [id, object] of objects) this.#took(id, object)
      const young = refused.find(({ wanted, fault }) => wanted.after && fault.reason === 'engine_object_not_found')
      if (young) return { gate: `${young.wanted.set.kind} to be served` }
      if (refused.length > 0) return { refused: refusalOf(refused) }
      if (wave.some(({ set }) => set.kind === 'CustomResourceDefinition')) api.discovery.refresh()
    }
    return {}
  }

  #needsApply({ id, body }: Wanted): boolean {
    const entry = this.#entries.get(id)
    const live = this.#live.get(id)
    if (!entry || !live) return true
    return entry.applied !== body.hash || entry.owned === undefined || entry.owned !== ownedHash(live)
  }

  #took(id: string, object: KubeObject): void {
    const wanted = this.#wanted.find((each) => each.id === id) as Wanted
    this.#applied.set(id, object)
    this.#entries.set(id, entryAfter(this.#entries.get(id) as Entry, wanted, this.#live.get(id), object))
  }

  #undefinedKind(wave: readonly Wanted[]): string | undefined {
    const waited = new Set<string>()
    for (const { after } of wave) {
      const definition = after === undefined ? undefined : (this.#applied.get(after) ?? this.#live.get(after))
      if (definition && healthOf(definition).state !== 'ready') waited.add(definition.metadata.name)
    }
    return waited.size === 0 ? undefined : `${listOf([...waited])} to be established`
  }

  /** A pod is refused, not delayed, where its account is not there; a young namespace has none for a moment. */
  async #withoutAccount(wave: readonly Wanted[], call: Call): Promise<string | undefined> {
    const { api } = this.#parts.options
    const accounts = new Map<string, { readonly namespace: string; readonly name: string }>()
    for (const { set, at } of wave) {
      if (kindKey(set.apiVersion, set.kind) !== 'Pod' || this.#live.has(entryId(at))) continue
      const name = textAt(set.object, 'spec', 'serviceAccountName') ?? 'default'
      accounts.set(`${at.namespace}/${name}`, { namespace: at.namespace ?? '', name })
    }
    for (const [shown, place] of accounts) {
      if (!(await api.objects.get({ resource: resources.serviceAccount, ...place }, call)))
        return `the service account ${shown}`
    }
    return undefined
  }

  async #unready(call: Call): Promise<Pass | undefined> {
    const { api, clock, namespaceOf } = this.#parts.options
    const { ref, specHash, update } = this.#desired
    const home = namespaceOf(ref.tenant)
    const hasClaims = this.#wanted.some(({ set }) => isClaim(set.apiVersion, set.kind))
    const classes = hasClaims ? await storageClasses(api.objects, call) : []
    const states = this.#wanted.map((wanted) => {
      const object = this.#applied.get(wanted.id) ?? this.#live.get(wanted.id)
      return { wanted, health: object ? unusedClaim(healthOf(object), object, classes) : waiting('it is not there') }
    })
    const late = states.filter(({ health }) => !isWell(health))
    const now = new Date(clock.now())
    const since = this.#parts.ready.note(
      refKey(ref),
      specHash,
      late.length === 0,
      states.map(({ health }) => health.since),
      now,
    )
    if (late.length > 0) {
      const names = late.map(({ wanted, health }) => `${shownName(wanted.at, home)}: ${health.message}`)
      return waitFor(listOf(names), laterMs)
    }
    const leftMs = update.minReadySeconds * 1000 - (now.getTime() - (since ?? now).getTime())
    if (update.minReadySeconds === 0 || leftMs <= 0) return undefined
    return waitFor(`all objects to be ready for ${update.minReadySeconds} s`, leftMs)
  }

  async #prune(call: Call): Promise<string | undefined> {
    const leaving = [...this.#entries.values()].filter((entry) => entry.leaving)
    if (leaving.length === 0) return undefined
    const { options } = this.#parts
    const home = options.namespaceOf(this.#desired.ref.tenant)
    const selector = selectorOf(options, this.#desired.ref)
    const { gone, waiting } = await takeAway({ objects: options.api.objects, selector, home }, leaving, call)
    for (const id of gone) this.#entries.delete(id)
    if (gone.size > 0) await this.#save(this.#stored?.record.applied ?? false, call)
    return waiting
  }
}

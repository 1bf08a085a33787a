/**
 * Events of objects: one stored list per object, owned by it and gone with it. They are gathered in memory and written
 * together a moment later, a bounded number at a time, so that no storm of events can hold up what people ask for. What
 * was not written when a process is killed is lost; the durable record of who did what is audit. What cannot be kept
 * because too much waits, or is refused, is counted, and told as one event of its Tenant.
 */
import type { ObjectEvent, TenantEvent } from '@gantry/api'
import { type Call, type Clock, type GantryObject, isFault, isRetryable, type ObjectKey } from '@gantry/core'
import type { Command, CommandResult, Store, SystemScope } from '@gantry/store'
import type { Log } from '../app/log.ts'
import { type Happened, mergeEvents, withEvent } from './event.ts'

export const eventsKind = 'Events'

const everyMs = 1000
/** Between two of these whatever people ask for gets its turn. */
const atOnce = 100
/** The more wait, the more are written each time: this part of them. */
const shareEachTime = 1 / 5
const mostWaitingAtAll = 5000

type Subject = { readonly kind: string; readonly tenant?: string; readonly name: string; readonly uid: string }
type Since = { readonly since?: string | undefined; readonly limit: number }
type Waiting = { readonly subject: Subject; events: ObjectEvent[] }
type Deps = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  readonly log: Log
  /** Of how many objects there may be something to write. */
  readonly mostWaiting?: number
}

export class EventRecorder {
  readonly #deps: Deps
  readonly #waiting = new Map<string, Waiting>()
  /** How many events could not be kept, by tenant, until that is told. */
  readonly #lost = new Map<string, number>()
  #cancel: (() => void) | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  record(object: Pick<GantryObject, 'kind' | 'metadata'>, happened: Happened): void {
    const subject = subjectOf(object)
    const events = withEvent(this.#waiting.get(subject.uid)?.events ?? [], happened, this.#now())
    this.#wait({ subject, events })
    this.#cancel ??= this.#deps.clock.after(everyMs, () => void this.#due())
  }

  /** What a user's write came to. */
  wrote({ did, about }: CommandResult, by: string): void {
    if (did === 'created') this.record(about, { type: 'normal', reason: 'Created', message: 'was made', by })
    if (did === 'configured') {
      const message = `was changed to generation ${about.metadata.generation}`
      this.record(about, { type: 'normal', reason: 'Changed', message, by })
    }
    if (did === 'deleting') {
      const message = `is to be deleted, and held by ${about.metadata.finalizers.join(', ')}`
      this.record(about, { type: 'normal', reason: 'Deleting', message, by })
    }
  }

  /** Newest first, with what is not written yet. */
  async of(object: GantryObject, call: Call): Promise<ObjectEvent[]> {
    const stored = await this.#deps.store.read(this.#deps.scope, keyOf(subjectOf(object)), call)
    const waiting = this.#waiting.get(object.metadata.uid)?.events ?? []
    return mergeEvents((stored?.spec as ObjectEvent[] | undefined) ?? [], waiting).toReversed()
  }

  /** Of all objects of a tenant, newest first, with what is not written yet. */
  async inTenant(tenant: string, { since, limit }: Since, call: Call): Promise<TenantEvent[]> {
    const found = new Map<string, { readonly about: TenantEvent['about']; readonly events: readonly ObjectEvent[] }>()
    for await (const { metadata, spec } of this.#storedIn(tenant, call)) {
      const [owner] = metadata.ownerRefs
      if (owner) found.set(owner.uid, { about: { kind: owner.kind, name: owner.name }, events: spec as ObjectEvent[] })
    }
    for (const { subject, events } of this.#waiting.values()) {
      if (subject.tenant !== tenant) continue
      const { uid, kind, name } = subject
      found.set(uid, { about: { kind, name }, events: mergeEvents(found.get(uid)?.events ?? [], events) })
    }
    const all = [...found.values()].flatMap(({ about, events }) => events.map((event) => ({ ...event, about })))
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
    return all
      .filter(({ lastAt }) => Date.parse(lastAt) >= from)
      .toSorted((one, other) => Date.parse(other.lastAt) - Date.parse(one.lastAt))
      .slice(0, limit)
  }

  async *#storedIn(tenant: string, call: Call): AsyncGenerator<GantryObject> {
    let from: string | undefined
    do {
      const query = { kind: eventsKind, tenant, limit: 500, ...(from !== undefined && { continue: from }) }
      const page = await this.#deps.store.list(this.#deps.scope, query, call)
      yield* page.items
      from = page.continue
    } while (from !== undefined)
  }

  /** Writes all that waits; to be awaited before the store is closed. */
  async flush(call: Call): Promise<void> {
    while (this.#waiting.size > 0) await this.#writeSome(call)
    await this.#tellLost(call)
  }

  async #due(): Promise<void> {
    const call = { signal: new AbortController().signal }
    try {
      const several = Math.ceil((this.#waiting.size * shareEachTime) / atOnce)
      for (let left = Math.max(1, several); left > 0; left--) await this.#writeSome(call)
      await this.#tellLost(call)
    } catch (error) {
      if (isFault(error) && error.reason === 'store_closed') this.#giveUp()
      this.#deps.log.warn('could not write events', { reason: isFault(error) ? error.reason : 'unexpected' })
    }
    const isMore = this.#waiting.size + this.#lost.size > 0
    this.#cancel = isMore ? this.#deps.clock.after(everyMs, () => void this.#due()) : undefined
  }

  /** Nobody will ever write it. */
  #giveUp(): void {
    this.#waiting.clear()
    this.#lost.clear()
  }

  async #writeSome(call: Call): Promise<void> {
    const some = [...this.#waiting.values()].slice(0, atOnce)
    for (const { subject } of some) this.#waiting.delete(subject.uid)
    await Promise.all(some.map((waiting) => this.#write(waiting, call)))
  }

  async #write(waiting: Waiting, call: Call): Promise<void> {
    try {
      await this.#add(waiting, call)
    } catch (error) {
      // The object is gone, or another server wrote at the same moment: what is lost is a line for people to read.
      if (isFault(error, 'not_found') || isFault(error, 'conflict')) return
      const { subject, events } = waiting
      const isWorthAnotherTry = isFault(error) && isRetryable(error)
      if (!isWorthAnotherTry) this.#lose(subject, events)
      else this.#wait({ subject, events: mergeEvents(events, this.#waiting.get(subject.uid)?.events ?? []) })
      throw error
    }
  }

  async #add({ subject, events }: Waiting, call: Call): Promise<void> {
    const { store, scope } = this.#deps
    const key = keyOf(subject)
    const stored = await store.read(scope, key, call)
    const spec = mergeEvents((stored?.spec as ObjectEvent[] | undefined) ?? [], events)
    const { kind, name, uid } = subject
    const command: Command = stored
      ? { op: 'replace', draft: { key, spec }, ifGeneration: stored.metadata.generation }
      : { op: 'create', draft: { key, spec, ownerRefs: [{ kind, name, uid }] } }
    await store.write(scope, [command], {}, call)
  }

  /** Bounded: of what waits longest it is only counted how much it was. */
  #wait(waiting: Waiting): void {
    this.#waiting.set(waiting.subject.uid, waiting)
    const [oldest] = this.#waiting.values()
    const { mostWaiting = mostWaitingAtAll } = this.#deps
    if (this.#waiting.size <= mostWaiting || oldest === undefined) return
    const { subject, events } = oldest
    this.#waiting.delete(subject.uid)
    this.#lose(subject, events)
  }

  #lose({ tenant = '' }: Subject, events: readonly ObjectEvent[]): void {
    const count = events.reduce((sum, event) => sum + event.count, 0)
    this.#lost.set(tenant, (this.#lost.get(tenant) ?? 0) + count)
  }

  /** Counted on in one event, however often it happens. */
  async #tellLost(call: Call): Promise<void> {
    const { store, scope, log } = this.#deps
    for (const tenant of [...this.#lost.keys()]) {
      const owner = tenant === '' ? undefined : await store.read(scope, { kind: 'Tenant', name: tenant }, call)
      const count = this.#lost.get(tenant) ?? 0
      this.#lost.delete(tenant)
      log.warn('events were not kept, because they could not be written in time', { tenant, count })
      if (owner) await this.#write({ subject: subjectOf(owner), events: withEvent([], lost, this.#now(), count) }, call)
    }
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString()
  }
}

const lost: Happened = {
  type: 'warning',
  reason: 'EventsLost',
  message: 'events of objects of this tenant were not kept, because they could not be written in time',
  by: 'event-recorder',
}

function subjectOf({ kind, metadata: { tenant, name, uid } }: Pick<GantryObject, 'kind' | 'metadata'>): Subject {
  return { kind, name, uid, ...(tenant !== undefined && { tenant }) }
}

function keyOf({ tenant, uid }: Subject): ObjectKey {
  return { kind: eventsKind, ...(tenant !== undefined && { tenant }), name: uid }
}

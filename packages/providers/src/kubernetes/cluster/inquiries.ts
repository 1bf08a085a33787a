/**
 * What the cluster says of an object elsewhere than on it: events that tell why it does not get further, and the last line of
 * a container that ended. Asked only of what looks stuck, few at a time, and again after a while for as long as it does.
 */
import { type Call, type Clock, isFault } from '@gantry/core'
import type { Ref } from '../../ref.ts'
import type { KubernetesApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { EventObject } from '../observe/objects.ts'
import type { ObjectSeen } from '../observe/seen.ts'

/** How long an answer is good. */
const againMs = 4000
const mostAtOnce = 4

export type InquiryParts = {
  readonly api: KubernetesApi
  readonly clock: Clock
  readonly life: Call
  readonly changed: (ref: Ref) => void
  readonly doubt: (error: unknown) => void
}

type Answer = { readonly askedAt: number; readonly value: unknown }

export type EventSeen = { readonly reason: string; readonly message: string }

export class Inquiries {
  readonly #parts: InquiryParts
  /** By uid, then by what was asked. */
  readonly #answers = new Map<string, Map<string, Answer>>()
  readonly #waiting: (() => Promise<void>)[] = []
  #running = 0

  constructor(parts: InquiryParts) {
    this.#parts = parts
  }

  /** The latest event about it with one of these reasons, as far as it is known. */
  event(of: ObjectSeen, reasons: readonly string[]): EventSeen | undefined {
    return this.#ask(of, 'event', againMs, (call) => this.#event(of, reasons, call))
  }

  /** `end`: which one it is about; the last line of another end is another. */
  lastLine(of: ObjectSeen, service: string, end: number, quote: (line: string) => string): string | undefined {
    const ask = async (call: Call): Promise<string | undefined> => {
      const line = await this.#lastLine(of, service, call)
      return line === undefined ? undefined : quote(line)
    }
    return this.#ask(of, `line ${service} ${end}`, Number.POSITIVE_INFINITY, ask)
  }

  forget(uid: string): void {
    this.#answers.delete(uid)
  }

  #ask<T>(of: ObjectSeen, what: string, goodMs: number, ask: (call: Call) => Promise<T>): T | undefined {
    const { clock } = this.#parts
    let own = this.#answers.get(of.uid)
    if (!own) {
      own = new Map()
      this.#answers.set(of.uid, own)
    }
    const known = own.get(what)
    const now = clock.monotonic()
    if (!known || now - known.askedAt >= goodMs) {
      own.set(what, { askedAt: now, value: known?.value })
      this.#queue(async () => this.#learn(of, what, await ask(this.#parts.life)))
    }
    return known?.value as T | undefined
  }

  #learn(of: ObjectSeen, what: string, value: unknown): void {
    const own = this.#answers.get(of.uid)
    const before = own?.get(what)
    // It is gone meanwhile.
    if (!own || !before) return
    own.set(what, { askedAt: this.#parts.clock.monotonic(), value })
    if (JSON.stringify(before.value) !== JSON.stringify(value)) this.#parts.changed(of.ref)
  }

  #queue(work: () => Promise<void>): void {
    this.#waiting.push(work)
    if (this.#running < mostAtOnce) void this.#work()
  }

  async #work(): Promise<void> {
    this.#running += 1
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      // Out of reach is seen by other ways, and what is gone or forbidden has nothing to say.
      await next().catch((error: unknown) => {
        if (!isFault(error)) this.#parts.doubt(error)
      })
    }
    this.#running -= 1
  }

  async #event({ uid, namespace }: ObjectSeen, reasons: readonly string[], call: Call): Promise<EventSeen | undefined> {
    const of = { resource: resources.event, namespace }
    const { items } = await this.#parts.api.objects.list<EventObject>(
      of,
      { fieldSelector: `involvedObject.uid=${uid}` },
      call,
    )
    const telling = items.filter(({ reason = '', message }) => reasons.includes(reason) && message)
    const last = telling.sort((left, right) => timeOf(left) - timeOf(right)).at(-1)
    return last && { reason: last.reason ?? '', message: (last.message ?? '').trim() }
  }

  async #lastLine({ namespace, name }: ObjectSeen, container: string, call: Call): Promise<string | undefined> {
    const range = { follow: false, timestamps: false, tail: 1, limitBytes: 4096 }
    const chunks: Buffer[] = []
    for await (const chunk of await this.#parts.api.pods.logs({ namespace, pod: name, container }, range, call))
      chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8').trimEnd().split('\n').at(-1) || undefined
  }
}

const timeOf = ({ lastTimestamp, eventTime, firstTimestamp, metadata }: EventObject): number =>
  Date.parse(lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp ?? '') || 0

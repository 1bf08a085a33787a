/**
 * What autoscalers say of the pods of a namespace, asked only while one of them finds no node: two lists for all of them
 * together, again after a while for as long as somebody wants to know.
 */
import { type Call, type Clock, isFault } from '@gantry/core'
import type { KubernetesApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { EventObject } from '../observe/objects.ts'
import type { RoomHeard } from './verdict.ts'
import { autoscalers, type RoomWord, roomWords } from './words.ts'

/** How long an answer is good. */
const againMs = 4000
/** Who asks for many at once is answered once. */
const recentMs = 1000
/** Nobody has wanted to know for so long. */
const forgottenMs = 10 * 60_000
/** Autoscalers are put on a cluster rarely. */
const autoscalerMs = 5 * 60_000

/** Where the one writes down how it is, and what the other's objects are of. */
const statusOfClusterAutoscaler = { namespace: 'kube-system', name: 'cluster-autoscaler-status' } as const
const groupOfKarpenter = '/apis/karpenter.sh'

export type RoomParts = {
  readonly api: KubernetesApi
  readonly clock: Clock
  readonly life: Call
  readonly doubt?: (error: unknown) => void
}

type Answer = { readonly lookedAt: number; readonly words: ReadonlyMap<string, RoomWord>; readonly autoscaler?: string }

export class Rooms {
  readonly #parts: RoomParts
  /** By namespace. */
  readonly #answers = new Map<string, Answer>()
  readonly #asked = new Map<string, number>()
  #autoscaler: { readonly at: number; readonly name: string | undefined } | undefined

  constructor(parts: RoomParts) {
    this.#parts = parts
  }

  /** As far as it is known; what is not, or was long ago, is asked for and known the next time. */
  heard(namespace: string, uid: string): RoomHeard {
    const { clock, life, doubt } = this.#parts
    const now = clock.now()
    if (now - (this.#asked.get(namespace) ?? Number.NEGATIVE_INFINITY) >= againMs && !life.signal.aborted) {
      // Out of reach is seen by other ways.
      this.#ask(namespace, life).catch((error: unknown) => {
        if (!isFault(error)) doubt?.(error)
      })
    }
    return heardIn(this.#answers.get(namespace), uid)
  }

  /** Of pods of this namespace, as it is now or was a moment ago. */
  async ask(namespace: string, call: Call): Promise<(uid: string) => RoomHeard> {
    const known = this.#answers.get(namespace)
    const isRecent = known && this.#parts.clock.now() - known.lookedAt < recentMs
    const answer = isRecent ? known : await this.#ask(namespace, call)
    return (uid) => heardIn(answer, uid)
  }

  async #ask(namespace: string, call: Call): Promise<Answer> {
    const { api, clock } = this.#parts
    const lookedAt = clock.now()
    this.#asked.set(namespace, lookedAt)
    const [autoscaler, ...lists] = await Promise.all([
      this.#anyAutoscaler(call),
      ...autoscalers.map((source) =>
        ifAllowed(
          api.objects.list<EventObject>(
            { resource: resources.event, namespace },
            { fieldSelector: `source=${source},involvedObject.kind=Pod` },
            call,
          ),
        ),
      ),
    ])
    const words = roomWords(lists.flatMap((list) => list?.items ?? []))
    const answer = { lookedAt, words, ...(autoscaler !== undefined && { autoscaler }) }
    this.#answers.set(namespace, answer)
    for (const [name, each] of this.#answers) {
      if (lookedAt - each.lookedAt < forgottenMs) continue
      this.#answers.delete(name)
      this.#asked.delete(name)
    }
    return answer
  }

  async #anyAutoscaler(call: Call): Promise<string | undefined> {
    const { api, clock } = this.#parts
    const now = clock.now()
    if (this.#autoscaler && now - this.#autoscaler.at < autoscalerMs) return this.#autoscaler.name
    const [status, group] = await Promise.all([
      ifAllowed(api.objects.get({ resource: resources.configMap, ...statusOfClusterAutoscaler }, call)),
      ifAllowed(api.raw<object>(groupOfKarpenter, call)),
    ])
    const name = group ? 'karpenter' : status ? 'cluster-autoscaler' : undefined
    this.#autoscaler = { at: now, name }
    return name
  }
}

/** For one who looks after a part of a cluster alone. */
export const ownRooms = ({ api, clock }: Pick<RoomParts, 'api' | 'clock'>): Rooms =>
  new Rooms({ api, clock, life: { signal: new AbortController().signal } })

function heardIn(answer: Answer | undefined, uid: string): RoomHeard {
  if (!answer) return {}
  const { lookedAt, words, autoscaler } = answer
  const word = words.get(uid)
  return { lookedAt, ...(word && { word }), ...(autoscaler !== undefined && { autoscaler }) }
}

/** Who may not see what they say waits for no word of theirs. */
async function ifAllowed<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_forbidden') return undefined
    throw error
  }
}

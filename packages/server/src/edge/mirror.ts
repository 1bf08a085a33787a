/** Everything that routing depends on, in memory and in step with the store: of each object, what it is routed by. */
import { asFault, type Clock, type Fault, type GantryObject, type ObjectKey, sleep } from '@gantry/core'
import { Feed, keyOf, keyText } from '@gantry/reconcile'
import { type Store, type SystemScope, sourceOf } from '@gantry/store'
import { type RoutedKinds, routed } from './routed-objects.ts'

export const mirroredKinds = ['Workload', 'Rollout', 'Instance', 'Route'] as const
export type MirroredKind = (typeof mirroredKinds)[number]

export type MirrorOptions = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  readonly random: () => number
  /** What has come or is another now, or the key of what is gone; `undefined`: all of a kind was listed. */
  readonly onChange: (news: GantryObject | ObjectKey | undefined) => void
  readonly onTrouble: (fault: Fault) => void
}

const againMs = 250

export class Mirror {
  readonly #options: MirrorOptions
  readonly #objects = new Map<MirroredKind, Map<string, RoutedKinds[MirroredKind]>>()
  readonly #stopping = new AbortController()
  #listed = 0
  #following: Promise<unknown> | undefined

  constructor(options: MirrorOptions) {
    this.#options = options
    for (const kind of mirroredKinds) this.#objects.set(kind, new Map())
  }

  /** Whether everything that is there was seen at least once; before that nothing may be concluded from what is not. */
  get complete(): boolean {
    return this.#listed === mirroredKinds.length
  }

  all<Kind extends MirroredKind>(kind: Kind): readonly RoutedKinds[Kind][] {
    return [...(this.#objects.get(kind)?.values() ?? [])] as RoutedKinds[Kind][]
  }

  get<Kind extends MirroredKind>(kind: Kind, tenant: string, name: string): RoutedKinds[Kind] | undefined {
    return this.#objects.get(kind)?.get(keyText({ kind, tenant, name })) as RoutedKinds[Kind] | undefined
  }

  start(): void {
    this.#following ??= Promise.all(mirroredKinds.map((kind) => this.#follow(kind)))
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the mirror was stopped'))
    await this.#following
  }

  async #follow(kind: MirroredKind): Promise<void> {
    const { store, scope, clock, random, onChange, onTrouble } = this.#options
    const objects = this.#objects.get(kind) ?? new Map<string, RoutedKinds[MirroredKind]>()
    const feed = new Feed({
      source: sourceOf(store, scope, kind),
      clock,
      random,
      revision: ({ metadata }) => String(metadata.resourceVersion),
      onChange: (object) => {
        objects.set(keyText(keyOf(object)), routed[kind](object))
        onChange(object)
      },
      onGone: ({ key }) => {
        objects.delete(keyText(key))
        onChange(key)
      },
      onTrouble,
    })
    const { signal } = this.#stopping
    for (let listed = false; !listed && !signal.aborted; ) {
      try {
        await feed.list(signal)
        listed = true
      } catch (error) {
        if (!signal.aborted) onTrouble(asFault(error))
        await sleep(clock, againMs, { signal }).catch(() => undefined)
      }
    }
    if (signal.aborted) return
    this.#listed++
    onChange(undefined)
    await feed.follow(signal)
  }
}

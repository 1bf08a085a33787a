/** Workloads that are not described by their services, each by whoever looks after its kind of source. */
import type { Call, Clock, DeclaredCapability } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { Observed } from '../../observed.ts'
import { done, type Pass } from '../../pass.ts'
import type { Ref } from '../../ref.ts'
import { helmReleases } from '../helm/index.ts'
import { manifestSets } from '../manifests/index.ts'
import { confined } from '../manifests/manifests.ts'
import type { KubernetesOptions } from '../options.ts'
import type { Rooms } from '../room/rooms.ts'
import { type SourceEngine, sourceEngine } from './source-engine.ts'

export type SourceParts = {
  readonly namespaceOf: (tenant: string) => string
  readonly via: 'direct' | 'tunnel'
  readonly clock: Clock
  readonly rooms: Rooms
}

export class Sources {
  readonly all: readonly SourceEngine[]

  constructor(options: KubernetesOptions, { namespaceOf, via, clock, rooms }: SourceParts) {
    const { api, installation, allow = confined, labels, namespace: onlyNamespace, charts } = options
    const only = onlyNamespace === undefined ? {} : { onlyNamespace }
    const common = { api, clock, installation, namespaceOf, allow, via, rooms, ...only }
    this.all = [
      sourceEngine('manifests', manifestSets({ ...common, ...(labels === undefined ? {} : { labels }) })),
      ...(charts ? [sourceEngine('helm', helmReleases({ ...common, ...charts }))] : []),
    ]
  }

  get declares(): readonly DeclaredCapability[] {
    return this.all.map(({ type }) => `source:${type}` as const)
  }

  /** `undefined`: it is described by its services, or nobody here has such a source. */
  of({ source }: Pick<Desired, 'source'>): SourceEngine | undefined {
    return source && this.all.find(({ type }) => type === source.type)
  }

  /** Who has this replica; `undefined`: it is a pod of ours. */
  owner(engineId: string): SourceEngine | undefined {
    return this.all.find((each) => each.owns(engineId))
  }

  async look(ref: Ref, call: Call): Promise<Observed | undefined> {
    for (const each of this.all) {
      const observed = await each.look(ref, call)
      if (observed) return observed
    }
    return undefined
  }

  /** By all of them but one: a workload that changes its source leaves nothing of the one before. */
  async remove(ref: Ref, call: Call, but?: SourceEngine): Promise<Pass> {
    for (const each of this.all) {
      const pass = each === but ? done : await each.remove(ref, call)
      if (pass.state === 'yield') return pass
    }
    return done
  }

  async hasAny(namespace: string, call: Call): Promise<boolean> {
    for (const each of this.all) if (await each.hasAny(namespace, call)) return true
    return false
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((each) => each.close()))
  }
}

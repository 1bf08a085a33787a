/** What is known of some workloads, kept as it changes: three feeds, one picture. */
import { findFace, type ObjectOf, onAbort } from '@gantry/core'
import type { Where } from '../objects/find.ts'
import { type Followed, follow } from '../objects/follow.ts'

export type Workload = ObjectOf<'Workload'>
export type Rollout = ObjectOf<'Rollout'>
export type Instance = ObjectOf<'Instance'>

/** By name. What is not in it was looked for, and is not there. */
export type Picture = {
  readonly workloads: ReadonlyMap<string, Workload>
  readonly rollouts: ReadonlyMap<string, Rollout>
  readonly instances: ReadonlyMap<string, Instance>
}

const parts = { workloads: 'Workload', rollouts: 'Rollout', instances: 'Instance' } as const
type Part = keyof typeof parts

/** One when everything was looked at once, then one whenever something changed; several changes may come as one. */
export async function* pictures(names: ReadonlySet<string>, where: Where): AsyncGenerator<Picture, never> {
  const maps = { workloads: new Map(), rollouts: new Map(), instances: new Map() } as Record<Part, Map<string, never>>
  const unseen = new Set<Part>(Object.keys(parts) as Part[])
  const own = new AbortController()
  const leave = onAbort(where.signal, () => own.abort(where.signal.reason))
  let wake = (): void => undefined
  let changed = false
  let failed: { readonly error: unknown } | undefined

  const feeds = (Object.keys(parts) as Part[]).map(async (part) => {
    const face = findFace(parts[part])
    if (!face) return
    try {
      for await (const event of follow({ face, names: [] }, { ...where, signal: own.signal })) {
        take(maps[part], event, part === 'workloads' ? nameOf : workloadOf, names)
        unseen.delete(part)
        changed = true
        wake()
      }
    } catch (error) {
      failed ??= { error }
      wake()
    }
  })
  try {
    for (;;) {
      if (failed) throw failed.error
      if (changed && unseen.size === 0) {
        changed = false
        yield {
          workloads: new Map(maps.workloads),
          rollouts: new Map(maps.rollouts),
          instances: new Map(maps.instances),
        }
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    leave()
    own.abort(new Error('Nobody looks any more'))
    await Promise.all(feeds)
  }
}

const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }): string => metadata.name
const workloadOf = ({ spec }: { readonly spec: unknown }): string => (spec as { readonly workload: string }).workload

function take(
  map: Map<string, unknown>,
  event: Followed,
  owner: (object: Workload) => string,
  names: ReadonlySet<string>,
): void {
  if (event.type === 'all') {
    map.clear()
    for (const object of event.group.objects) put(object as Workload)
  } else if (event.type === 'gone') map.delete(event.object.metadata.name)
  else put(event.object as Workload)

  function put(object: Workload): void {
    if (names.has(owner(object))) map.set(object.metadata.name, object)
  }
}

/**
 * Giving up on an engine that is gone for good. The only way in which an instance is forgotten without its engine having
 * been seen to be rid of it, and therefore written down by whom, why, and what was left there.
 */
import type { Call, ObjectKey, ObjectOf } from '@gantry/core'
import type { Command } from '@gantry/store'
import type { ControllerDeps } from '../deps.ts'

export const abandonmentKind = 'Abandonment'

export type AbandonmentSpec = {
  readonly by: string
  readonly why: string
}

export function abandonmentKey({ metadata: { tenant = '', uid } }: ObjectOf<'Workload'>): ObjectKey {
  return { kind: abandonmentKind, tenant, name: uid }
}

/** For `delete --abandon`, also when the deletion was asked for before: to be written together with it. */
export function abandonmentCommand(workload: ObjectOf<'Workload'>, spec: AbandonmentSpec): Command {
  const { name, uid } = workload.metadata
  const ownerRefs = [{ kind: 'Workload', name, uid }]
  return { op: 'replace', draft: { key: abandonmentKey(workload), spec, ownerRefs }, ifAbsent: 'create' }
}

export async function abandonmentOf(
  { store, scope }: Pick<ControllerDeps, 'store' | 'scope'>,
  workload: ObjectOf<'Workload'>,
  call: Call,
): Promise<AbandonmentSpec | undefined> {
  return (await store.read(scope, abandonmentKey(workload), call))?.spec as AbandonmentSpec | undefined
}

/** What may be left on engines, as it was seen last. */
export function leftBehind(instances: readonly ObjectOf<'Instance'>[]): string {
  if (instances.length === 0) return 'nothing that was ever seen'
  return instances
    .map(({ spec, status }) => {
      const ids = (status.replicas ?? []).map(({ engineId }) => engineId)
      const what = ids.length === 0 ? 'replicas that were not seen' : ids.join(', ')
      return `slot ${spec.slot} on provider "${spec.provider}": ${what}`
    })
    .join('; ')
}

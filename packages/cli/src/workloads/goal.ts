/** Pure: what there is to wait for after something was written. */
import type { ApplyReply } from '@gantry/api'
import type { ObjectOf } from '@gantry/core'
import type { Goal } from '../progress/verdict.ts'

/** Of an action: what failed before it does not count any more. */
export function goalOf({ metadata }: ObjectOf<'Workload'>, want: Goal['want'] = 'settled'): Goal {
  const { name, uid, generation, resourceVersion } = metadata
  return { workload: name, tenant: metadata.tenant ?? '', want, uid, generation, since: resourceVersion }
}

/** Of an apply. What was not changed by it may have failed already, and is then told so. */
export function goalsOf({ results }: Pick<ApplyReply, 'results'>): Goal[] {
  return results.flatMap(({ did, object }): Goal[] => {
    if (object.kind !== 'Workload' || did === 'deleted') return []
    const goal = goalOf(object as unknown as ObjectOf<'Workload'>, did === 'deleting' ? 'gone' : 'settled')
    return [did === 'unchanged' ? { ...goal, since: 0 } : goal]
  })
}

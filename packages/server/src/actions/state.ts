/** The state that decides which actions are legal: what was asked for last comes before what was seen last. */
import type { InstanceState, ObjectOf } from '@gantry/core'

/** Status is behind by as long as a look takes; a start right after a stop is none that is there already. */
export function stateForAction({ metadata, spec, status }: ObjectOf<'Workload'>): InstanceState {
  if (metadata.deletionRequestedAt !== undefined) return 'destroying'
  const seen = status.state
  if (spec.run === 'stopped') return seen === 'stopped' || seen === undefined ? 'stopped' : 'stopping'
  if (seen === undefined) return 'provisioning'
  return seen === 'stopped' || seen === 'stopping' ? 'starting' : seen
}

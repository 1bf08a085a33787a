/** What controllers make of workloads, to be looked at. */
import { madeKindEndpoints } from './of-kind.ts'

export const releases = madeKindEndpoints('Release')
export const rollouts = madeKindEndpoints('Rollout')
export const instances = madeKindEndpoints('Instance')

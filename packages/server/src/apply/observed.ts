/** What a plan sees of what runs: part of its hash, so that an apply is refused when that has moved. */
import type { Call, PlanBasis } from '@gantry/core'

/**
 * Per instance of a workload its engine ids, spec hash and replica count; never readiness, restarts or times, which move by
 * themselves. Being unable to look is a fault: a plan that did not look cannot be held to anything.
 */
export type ObservedFingerprint = (
  workload: { readonly tenant: string; readonly name: string; readonly uid: string },
  call: Call,
) => Promise<PlanBasis['instances']>

/** Where nothing runs anything. */
export const nothingRuns: ObservedFingerprint = async () => []

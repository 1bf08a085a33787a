/** Every kind of fault that an endpoint may answer with. */
import { type FaultKind, faultMeaning } from '@gantry/core'
import type { Endpoint } from './endpoint.ts'

/** Whoever asks and whatever for: a server can be asked too often, be late, be down, or be wrong. */
const always = ['invalid', 'rate_limited', 'unavailable', 'deadline', 'internal'] as const
const signedIn = ['unauthenticated', 'forbidden'] as const

export function faultsOf(endpoint: Endpoint): FaultKind[] {
  const kinds = new Set<FaultKind>([
    ...always,
    ...(endpoint.permission === 'public' ? [] : signedIn),
    // A tenant that is not there, or not the caller's, answers like any other absent thing.
    ...(endpoint.scope === 'tenant' ? (['not_found'] as const) : []),
    ...endpoint.faults,
  ])
  return (Object.keys(faultMeaning) as FaultKind[]).filter((kind) => kinds.has(kind))
}

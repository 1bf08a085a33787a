/** Every way to say no, written once. Kinds that share a status share a response. */
import { type FaultKind, faultMeaning } from '@gantry/core'
import { allEndpoints } from '../endpoints/table.ts'
import { faultsOf } from '../faults-of.ts'
import { problemType } from '../schemas/problem-headers.ts'
import type { JsonSchema } from './schemas.ts'

export function byStatus(kinds: readonly FaultKind[]): Map<number, FaultKind[]> {
  const found = new Map<number, FaultKind[]>()
  for (const kind of kinds) {
    const { status } = faultMeaning[kind]
    found.set(status, [...(found.get(status) ?? []), kind])
  }
  return found
}

export function responseName(kinds: readonly FaultKind[]): string {
  return kinds.join('_or_')
}

export function componentResponses(): Record<string, JsonSchema> {
  const sets = allEndpoints.flatMap((endpoint) => [...byStatus(faultsOf(endpoint)).values()])
  return Object.fromEntries(sets.map((kinds) => [responseName(kinds), problemResponse(kinds)]))
}

function problemResponse(kinds: readonly FaultKind[]): JsonSchema {
  const only = { properties: { kind: { enum: kinds } } }
  return {
    description: kinds.map((kind) => `${kind}: ${faultMeaning[kind].title}`).join('; '),
    content: { [problemType]: { schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, only] } } },
  }
}

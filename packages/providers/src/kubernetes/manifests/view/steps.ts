/** Pure: what passes over a set would do, an object each. */
import type { EngineStep } from '../../../engine-step.ts'
import type { Observed } from '../../../observed.ts'
import type { Place, ScopeOf } from '../confine.ts'
import { rankOfKind } from '../kinds.ts'
import type { SetObject } from '../set-object.ts'

export function setSteps(
  wanted: { readonly objects: readonly SetObject[]; readonly release: string; readonly specHash: string } | undefined,
  observed: Observed | undefined,
  { place, scopeOf }: { readonly place: Place; readonly scopeOf: ScopeOf },
): EngineStep[] {
  const replica = observed?.replicas[0]
  const there = replica?.services ?? {}
  const removal = (why: string, stays: ReadonlySet<string> = new Set()): EngineStep[] =>
    Object.entries(there)
      .filter(([name]) => !stays.has(name))
      .map(([name, { engineId }]) => ({ verb: 'remove', object: name, ...(engineId ? { engineId } : {}), why }))
  if (!wanted) return removal('the instance is to be removed').reverse()
  const order = [...wanted.objects].sort(
    (left, right) => rankOfKind(left.apiVersion, left.kind) - rankOfKind(right.apiVersion, right.kind),
  )
  const names = order.map((one) => nameOf(one, place, scopeOf))
  const drifted = new Set(observed?.drift)
  const steps = names.flatMap((name): EngineStep[] => {
    const seen = Object.hasOwn(there, name) ? there[name] : undefined
    const id = seen?.engineId ? { engineId: seen.engineId } : {}
    if (!seen) return [{ verb: 'create', object: name, why: `release ${wanted.release}` }]
    if (drifted.has(name)) return [{ verb: 'change', object: name, ...id, why: 'somebody else has changed it' }]
    if (replica?.specHash === wanted.specHash) return []
    return [{ verb: 'change', object: name, ...id, why: `release ${wanted.release}, where it differs` }]
  })
  return [...steps, ...removal(`no part of release ${wanted.release}`, new Set(names)).reverse()]
}

function nameOf(
  { apiVersion, kind, name, namespace }: SetObject,
  { namespace: home }: Place,
  scopeOf: ScopeOf,
): string {
  const outside = namespace !== undefined && namespace !== home && scopeOf(apiVersion, kind) !== false
  return `${outside ? `${namespace}.` : ''}${kind.toLowerCase()}/${name}`
}

/** Pure: what a user reads of a Provider. */
import type { Fault, ObjectOf, StatusOf } from '@gantry/core'
import type { EngineInfo } from '@gantry/providers'
import type { View } from '../../engines/engine-hub.ts'
import { conditionsOf, type Said, type Verdict } from '../conditions.ts'
import type { Health } from './health.ts'

/** Fields that say only when somebody looked: a status that differs in no other is not written. */
export const providerAgeFields = ['latencyMs', 'checkedAt'] as const

export type ProviderSeen =
  | { readonly state: 'refused'; readonly fault: Fault }
  | { readonly state: 'open'; readonly type: string; readonly health: Health; readonly view: View | undefined }

export function providerStatusOf(
  provider: ObjectOf<'Provider'>,
  seen: ProviderSeen,
  now: number,
): StatusOf<'Provider'> {
  const { version: _, facts: __, limits: ___, latencyMs: ____, checkedAt: _____, ...kept } = provider.status
  const health = seen.state === 'open' ? seen.health : undefined
  return {
    ...kept,
    observedGeneration: provider.metadata.generation,
    conditions: [...conditionsOf(verdictOn(seen), provider.status.conditions ?? [], now)],
    ...(health?.healthy ? saidOf(health.info) : {}),
    ...(health ? { latencyMs: Math.round(health.latencyMs), checkedAt: health.checkedAt.toISOString() } : {}),
  }
}

function saidOf({ version, facts, limits }: EngineInfo): Pick<StatusOf<'Provider'>, 'version' | 'facts' | 'limits'> {
  return { version, ...(facts && { facts: { ...facts } }), limits: [...limits] }
}

function verdictOn(seen: ProviderSeen): Verdict {
  if (seen.state === 'refused') return failing(seen.fault)
  const { health, view, type } = seen
  if (!health.healthy) return failing(health.fault)
  if (view?.state === 'blind') return failing(view.fault)
  return {
    Ready: ['True', 'answers', `${type} ${health.info.version} answers`],
    Progressing: ['False', 'converged', 'Nothing left to do'],
    Degraded: ['False', 'answers', ''],
  }
}

function failing(fault: Fault): Verdict {
  const said: Said = ['True', fault.reason, fault.message]
  return {
    Ready: ['False', fault.reason, fault.message],
    Progressing: ['True', 'retrying', 'Tried again by itself'],
    Degraded: said,
  }
}

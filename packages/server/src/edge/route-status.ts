/** What a user reads of a Route. Written only when it says something else than before. */
import { type Call, canonicalJson, type ObjectOf, type StatusOf } from '@gantry/core'
import { keyOf } from '@gantry/reconcile'
import type { Command } from '@gantry/store'
import { conditionsOf, type Verdict } from '../controllers/conditions.ts'
import type { RouteVerdict } from './compile-table.ts'

export type RouteWriter = (commands: readonly Command[], call: Call) => Promise<void>

export function statusCommands(verdicts: readonly RouteVerdict[], now: number): Command[] {
  return verdicts.flatMap((verdict) => {
    const { route } = verdict
    const status = statusOf(verdict, now)
    if (canonicalJson(status) === canonicalJson(route.status)) return []
    return [{ op: 'status', key: keyOf(route), status, ifVersion: route.metadata.resourceVersion }]
  })
}

function statusOf({ route, ready, reason, message }: RouteVerdict, now: number): StatusOf<'Route'> {
  const said: Verdict = {
    Ready: [ready ? 'True' : 'False', reason, message],
    Progressing: ['False', 'converged', 'The edge routes by it'],
    Degraded: [ready ? 'False' : 'True', reason, ready ? '' : message],
  }
  const conditions = [...conditionsOf(said, route.status.conditions ?? [], now)]
  return {
    ...route.status,
    observedGeneration: route.metadata.generation,
    conditions,
  } satisfies ObjectOf<'Route'>['status']
}

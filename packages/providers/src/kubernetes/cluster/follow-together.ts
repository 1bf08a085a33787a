/** Several watches of one cluster that live and end together, with the question whether it still answers beside them. */
import type { Call, Clock } from '@gantry/core'
import { type Heartbeat, heartbeat } from '../../tended/heartbeat.ts'
import type { KubernetesApi } from '../api/api.ts'

/** Until one of them is lost; then none of them hears any more. */
export async function followTogether(
  { api, clock }: { readonly api: KubernetesApi; readonly clock: Clock },
  begin: (beat: Heartbeat) => readonly Promise<void>[],
  life: Call,
): Promise<void> {
  const beat = heartbeat({ name: 'Kubernetes', ask: (call) => api.discovery.version(call), clock }, life)
  const following = begin(beat)
  try {
    await Promise.all(following)
  } finally {
    beat.clear()
    await Promise.allSettled(following)
  }
}

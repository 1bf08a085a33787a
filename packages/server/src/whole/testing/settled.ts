/** Waits until a workload is what was asked for, and says otherwise what it waits for. */
import type { Client } from '@gantry/api'
import { hasEnded, type ObjectOf } from '@gantry/core'
import { until } from './until.ts'

export type Settled = { readonly workload: ObjectOf<'Workload'>; readonly rollout: ObjectOf<'Rollout'> | undefined }

const patienceMs = 90_000

/** Ready, nothing progressing, and its newest rollout over: with this generation of its spec or a later one. */
export async function settled(client: Client, name: string, generation = 0): Promise<Settled> {
  const { workloads, rollouts } = client.tenant('default')
  return await until(
    `${name} to be as it was asked for`,
    async () => {
      const workload = await workloads.get(name)
      const rollout = workload.status.rollout === undefined ? undefined : await rollouts.get(workload.status.rollout)
      return { workload, rollout }
    },
    ({ workload: { metadata, status, spec }, rollout }) => {
      const is = (type: string) => status.conditions?.find((condition) => condition.type === type)?.status
      const isObserved = (status.observedGeneration ?? 0) >= Math.max(generation, metadata.generation)
      const isThere = spec.run === 'stopped' ? status.replicas === 0 : status.readyReplicas === spec.replicas
      return isObserved && isThere && is('Progressing') === 'False' && hasEnded(rollout?.status.phase)
    },
    { withinMs: patienceMs, everyMs: 100 },
  )
}

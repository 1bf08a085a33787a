/** What a person says about a rollout that is under way: told, and followed where that is wanted. */
import type { RolloutControl, WorkloadClient } from '@gantry/api'
import type { Goal } from '../../progress/verdict.ts'
import { waitFor } from '../../progress/wait.ts'
import { onWorkload, workloadNamed } from '../../workloads/act.ts'
import { goalOf } from '../../workloads/goal.ts'
import type { World } from '../../world/world.ts'

type Act = {
  readonly did: string
  readonly wait: boolean
  /** What is waited for; left out: that it is as its spec says. */
  readonly want?: Goal['want']
  readonly act: (name: string, workloads: WorkloadClient) => ReturnType<RolloutControl['pause']>
}

export async function actOnRollout(
  world: World,
  word: string,
  { did, wait, want = 'settled', act }: Act,
): Promise<void> {
  const { spec } = await onWorkload(world, word, (name, { workloads }) => act(name, workloads))
  await world.out.write(`workload/${spec.workload}: the rollout of v${spec.release} ${did}\n`)
  if (!wait) return
  const workload = await workloadNamed(world, spec.workload)
  await waitFor([{ ...goalOf(workload, want), since: 0 }], world)
}

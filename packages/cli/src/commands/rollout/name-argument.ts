/** Every verb of `rollout` is about the newest rollout of one workload. */
import type { Argument } from '../../command/command.ts'

export const nameArgument = {
  name: 'NAME',
  about: 'the workload',
  offer: { objects: 'workloads' },
} as const satisfies Argument

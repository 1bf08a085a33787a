/** What an instance uses, by the cluster's own metrics (`metrics.k8s.io`), where it has them. */
import { milliUnits, readQuantity, wholeUnits } from '@gantry/core'
import type { ReplicaUsage, Usage } from '../../usage.ts'
import { engineIdOf } from '../observe/observed-of.ts'
import type { PodSeen } from '../observe/seen.ts'

/** A pod's figures, as metrics-server has them: every fifteen seconds others. */
export type PodMetrics = {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly timestamp: string
  readonly containers: readonly { readonly usage: { readonly cpu?: string; readonly memory?: string } }[]
}

/** Pure: figures of pods that run, as one; `undefined` where there are none. */
export function usageOf(pods: readonly PodSeen[], metrics: readonly PodMetrics[], now: number): Usage | undefined {
  const running = pods.filter(({ deleting, containers }) => {
    return !deleting && Object.values(containers).some(({ state }) => state === 'running')
  })
  if (running.length === 0) return undefined
  const replicas = running.flatMap((pod) => {
    const found = metrics.find(({ metadata }) => metadata.name === pod.name)
    return found ? [{ pod, usage: replicaUsage(pod, found), at: Date.parse(found.timestamp) }] : []
  })
  const [cpu, memory] = [
    sum(replicas.map(({ usage }) => usage.cpuMillis)),
    sum(replicas.map(({ usage }) => usage.memoryBytes)),
  ]
  const cpuLimit = sum(
    running.map(({ limits }) => limits.cpuMillis),
    running.length,
  )
  const memoryLimit = sum(
    running.map(({ limits }) => limits.memoryBytes),
    running.length,
  )
  return {
    at: new Date(replicas.length === 0 ? now : Math.min(...replicas.map(({ at }) => at))),
    ...(cpu === undefined ? {} : { cpuMillis: cpu }),
    ...(cpu === undefined || !cpuLimit ? {} : { cpuPercent: (100 * cpu) / cpuLimit }),
    ...(memory === undefined ? {} : { memoryBytes: memory }),
    ...(memoryLimit ? { memoryLimitBytes: memoryLimit } : {}),
    ...(replicas.length < running.length ? {} : { replicas: replicas.map(({ usage }) => usage) }),
  }
}

function replicaUsage(pod: PodSeen, { containers }: PodMetrics): ReplicaUsage {
  const cpu = sum(containers.map(({ usage }) => amount(usage.cpu, milliUnits)))
  const memory = sum(containers.map(({ usage }) => amount(usage.memory, wholeUnits)))
  return {
    engineId: engineIdOf(pod),
    ...(cpu === undefined ? {} : { cpuMillis: cpu }),
    ...(memory === undefined ? {} : { memoryBytes: memory }),
  }
}

function amount(text: string | undefined, count: (quantity: bigint) => bigint): number | undefined {
  const quantity = text === undefined ? undefined : readQuantity(text)
  return quantity === undefined ? undefined : Number(count(quantity))
}

/** `undefined` where there is nothing to sum, or fewer than there must be. */
function sum(numbers: readonly (number | undefined)[], atLeast = 1): number | undefined {
  const known = numbers.filter((each) => each !== undefined)
  return known.length < atLeast ? undefined : known.reduce((total, next) => total + next, 0)
}

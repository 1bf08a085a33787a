/** Pure: what of a replica there is to measure. */
import type { Measured } from '../figures/figures.ts'
import type { LiveReplica } from './live-replica.ts'
import { type ContainerSeen, runs } from './seen.ts'

export function measuredOf({ record, containers, holder }: LiveReplica): Measured[] {
  return containers.filter(runs).map((container) => ({
    id: container.id,
    replica: record.engineId,
    ...(container.startedAt === undefined ? {} : { startedAt: new Date(container.startedAt) }),
    ...limitsIn(container),
    ...(container === holder ? { holder: true } : {}),
    volumes: container.volumes,
  }))
}

function limitsIn({ limits: { NanoCpus = 0, Memory = 0 } }: ContainerSeen): Partial<Measured> {
  return {
    ...(NanoCpus > 0 ? { cpuLimitMillis: NanoCpus / 1_000_000 } : {}),
    ...(Memory > 0 ? { memoryLimitBytes: Memory } : {}),
  }
}

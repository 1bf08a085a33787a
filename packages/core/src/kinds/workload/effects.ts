/** What a change of a workload's spec does to what runs: the part of a plan that people look at first. */
import { hashOf } from '../../hash.ts'
import { releaseHash } from './release.ts'
import type { WorkloadSpec } from './spec.ts'

export type WorkloadEffects = {
  /** Whether a new release is made. */
  readonly release: boolean
  /** Replicas that are replaced by new ones. */
  readonly replaced: number
  readonly started: number
  readonly stopped: number
}

/** `undefined` is a workload that is not there. Secret versions are those of now; a plan does not rotate them. */
export function workloadEffects(before: WorkloadSpec | undefined, after: WorkloadSpec | undefined): WorkloadEffects {
  const had = running(before)
  const wants = running(after)
  const release = after !== undefined && (before === undefined || contentOf(before) !== contentOf(after))
  const changes = before !== undefined && after !== undefined && (release || replaces(before, after))
  // Objects of a source are changed where they are; which of them, the engine plans.
  const replace = changes && !(before.source && after.source && before.provider === after.provider)
  const kept = Math.min(had, wants)
  return { release, replaced: replace ? kept : 0, started: wants - kept, stopped: had - kept }
}

function running(spec: WorkloadSpec | undefined): number {
  return spec === undefined || spec.run === 'stopped' ? 0 : spec.replicas
}

function contentOf({ services, source }: WorkloadSpec): string {
  return releaseHash({ services, source, secretVersions: {} })
}

/** Beside a new release, what no running replica can take on. */
function replaces(before: WorkloadSpec, after: WorkloadSpec): boolean {
  const madeOf = ({ restartStamp, type, provider, engine }: WorkloadSpec): string =>
    hashOf({ restartStamp, type, provider, engine })
  return madeOf(before) !== madeOf(after)
}

export function describeEffects({ replaced, started, stopped }: WorkloadEffects): string[] {
  const count = (number: number): string => `${number} ${number === 1 ? 'replica' : 'replicas'}`
  return [
    ...(replaced > 0 ? [`replaces ${count(replaced)}`] : []),
    ...(started > 0 ? [`starts ${count(started)}`] : []),
    ...(stopped > 0 ? [`stops ${count(stopped)}`] : []),
  ]
}

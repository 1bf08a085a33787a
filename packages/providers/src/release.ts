/** An immutable snapshot of everything that runs: what a rollback brings back. */
import type { RestartSpec, ServiceSpec, WorkloadType } from '@gantry/core'

export type Release = {
  readonly id: string
  /** `refKey` of the instance it belongs to. */
  readonly instance: string
  /** v1, v2 … of its instance. */
  readonly version: number
  readonly type: WorkloadType
  readonly services: readonly ServiceSpec[]
  readonly restart: RestartSpec
  readonly stopGraceSeconds: number
  /** `name/key` → version in the vault at the time; pull secrets as `name/username` and `name/password`. */
  readonly secretVersions: Readonly<Record<string, string>>
  /** Equal content has equal hashes; a new release exists if and only if this changes, or a deploy says so. */
  readonly hash: string
  /** Tells two deploys of the same content apart (a moved tag), so that each takes effect. */
  readonly stamp?: string
  readonly createdAt: Date
}

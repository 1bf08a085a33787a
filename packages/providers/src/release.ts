/** An immutable snapshot of everything that runs: what a rollback brings back. */
import type { ReleaseContent } from '@gantry/core'

export type Release = ReleaseContent & {
  readonly id: string
  /** `refKey` of the instance it belongs to. */
  readonly instance: string
  /** v1, v2 … of its instance. */
  readonly version: number
  /** By service: what its image meant when the release was made. Left out where the engine cannot tell. */
  readonly images: Readonly<Record<string, string>>
  /** Of its content and stamp; a new release exists if and only if this changes. */
  readonly hash: string
  /** Tells two deploys of the same content apart (a moved tag), so that each takes effect. */
  readonly stamp?: string
  /** ISO time, since releases are stored. */
  readonly createdAt: string
}

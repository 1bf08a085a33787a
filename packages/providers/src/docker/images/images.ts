/** The images of one Docker Engine, as those who want to run them see it. */
import type { Call, FaultReason } from '@gantry/core'
import type { WantedImage } from '../../desired.ts'
import type { Image } from '../api/types/images.ts'

/** What one service runs. */
export type ImageWant = WantedImage & {
  /** What the release says that it meant: `name@sha256:…`, or the id of an image that has no other name of its content. */
  readonly pinned?: string
  /** `linux/arm64`; left out: that of the engine. */
  readonly platform?: string
}

export type ImageState =
  /** `image.Id` is what to make a container of: a tag may move in between. */
  | {
      readonly state: 'here'
      readonly image: Image
      /** It was made for another kind of machine, and may not start. */
      readonly warning?: string
    }
  | {
      readonly state: 'pulling'
      /** `pulling web:1.2: 12 of 48 MB, 3 of 5 layers`. */
      readonly message: string
      readonly since: Date
      /** Why the try before this one failed, where that was no passing trouble. */
      readonly failed?: ImageFailure
    }
  | ({ readonly state: 'failed' } & ImageFailure)

export type ImageFailure = {
  /** `image_pull_failed`, or `engine_full`. */
  readonly reason: FaultReason
  /** With the registry's own words. */
  readonly message: string
  readonly at: Date
  /** From when on `ensure` tries again by itself. */
  readonly againAt: Date
}

export interface Images {
  /**
   * Where the images of somebody are, by service. Never waits for a pull: what is not here is pulled in the background, once
   * for all who want it. `owner` (a replica, say) is a name of the caller's choice; it wants what it said last, and nothing
   * else, until it leaves. An image that is to be pulled `always` is, once for each time an owner comes.
   */
  ensure(
    owner: string,
    wants: Readonly<Record<string, ImageWant>>,
    call: Call,
  ): Promise<Readonly<Record<string, ImageState>>>

  /** What `ensure` would answer of what is not here, without asking anybody; empty where nothing is waited for. */
  waiting(owner: string): Readonly<Record<string, ImageState>>

  /** It has what it wanted, or wants it no more. A pull that nobody wants ends; failures that nobody waits out are forgotten. */
  leave(owner: string): void

  /**
   * What an image means now, as a reference that will always mean the same. Asks the registry; an image that was built or
   * loaded here, and one whose registry does not answer, means what is here. `undefined`: it cannot be told.
   */
  resolve(wanted: WantedImage, call: Call): Promise<string | undefined>

  /** Ends all pulls; resolves when they have ended. */
  close(): Promise<void>
}

/** From an engine to its images. */
import { type Clock, Fault } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import type { Images } from './images.ts'

export type DockerImagesOptions = {
  readonly api: Pick<DockerApi, 'images'>
  readonly clock: Clock
  /** Told when what `waiting` answers of an owner is another: at most once a second for mere progress. */
  readonly changed: (owner: string) => void
  /** The folder of Docker's own settings, whose accounts are used where a service names none; left out: none. */
  readonly dockerConfig?: string
}

export function dockerImages(_options: DockerImagesOptions): Images {
  throw new Fault('unexpected', 'not written yet')
}

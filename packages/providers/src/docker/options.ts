/** What the `docker` engine is given. Time, randomness and ids are parameters, and so is the way to the daemon. */
import type { Clock } from '@gantry/core'
import type { Leaving } from '../leaving.ts'
import type { DockerApi } from './api/api.ts'
import type { Endpoint } from './api/endpoint.ts'

export type DockerOptions = {
  readonly installation: string
  readonly clock: Clock
  readonly leaving: Leaving
  /** Where the daemon listens. */
  readonly endpoint: Endpoint
  /** Left out: connected to at `endpoint`. */
  readonly api?: DockerApi
  /** The range that networks of tenants get a /24 of their own from: `10.120.0.0/16`. */
  readonly subnets?: string
  /** Folders of the daemon's machine that volumes of type `host` may be in or below; left out: none. */
  readonly hostFolders?: readonly string[]
  /** The folder of Docker's own settings, whose registry accounts are used where a service names none; left out: none. */
  readonly dockerConfig?: string
  /** How long the daemon may take to answer one question. */
  readonly answerMs?: number
  /** From 0 up to 1. */
  readonly random?: () => number
  /** Short, and never the same twice. */
  readonly ids?: () => string
}

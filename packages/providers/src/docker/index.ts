/** A Docker Engine, over its own API: containers, networks and volumes that carry our labels, and nothing else. */
import { type Call, Fault } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { DockerOptions } from './options.ts'

export type DockerEngine = Engine & {
  /** Lets go of the daemon; what runs goes on running. */
  close(): Promise<void>
}

/** Throws `unavailable` where the daemon cannot be reached. */
export async function dockerEngine(_options: DockerOptions, _call: Call): Promise<DockerEngine> {
  throw new Fault('unexpected', 'not written yet')
}

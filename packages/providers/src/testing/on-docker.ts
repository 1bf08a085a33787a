/** A test on a real daemon, with an installation of its own that is cleared away after it. */
import { type DockerHarness, dockerHarness } from './docker-harness.ts'
import { type DockerRig, dockerRig } from './docker-rig.ts'
import { type OnEngine, onEngine } from './on-engine.ts'

export type OnDocker = OnEngine<DockerRig, DockerHarness>

export const { shared: onDocker, at: onRig } = onEngine({ reach: dockerRig, open: dockerHarness })

/** All that a harness can be run on, by name. */
import { openDockerGround } from '../testing/harness/docker-ground.ts'
import { openKubernetesGround } from '../testing/harness/kubernetes-ground.ts'
import type { GroundName, OpenGround } from './ground.ts'
import { openLocalGround } from './local-ground.ts'

export const grounds: Record<GroundName, OpenGround> = {
  local: openLocalGround,
  docker: openDockerGround,
  kubernetes: openKubernetesGround,
}

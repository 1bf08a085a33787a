/** For whoever plays what a daemon leaves behind that died in the middle of a start. */
import { dirname, join } from 'node:path'
import type { DockerAddress } from './docker.ts'
import { shimState } from './places.ts'

/** Which containerd makes for a container when it is started, and takes away when it has ended. */
export function taskFolder({ socket }: Pick<DockerAddress, 'socket'>, container: string): string {
  return join(shimState(dirname(socket)), 'moby', container)
}

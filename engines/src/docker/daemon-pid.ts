/** For whoever sends a daemon of its own a signal. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DockerAddress } from './docker.ts'
import { pidFile } from './places.ts'

/** Another one after every restart. */
export async function daemonPid({ socket }: Pick<DockerAddress, 'socket'>): Promise<number> {
  return Number(await readFile(pidFile(dirname(socket)), 'utf8'))
}

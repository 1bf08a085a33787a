/** Whether the processes of an engine are processes of this machine. */
import { existsSync } from 'node:fs'
import { hostname, release } from 'node:os'
import { join } from 'node:path'
import type { EngineInfo } from '../api/types/system.ts'

/**
 * What `exec:kill` is promised by: without this a command is left running. A socket alone proves nothing, since it may lead
 * into a virtual machine; the engine's own folders are seen only from where it runs. Should all this be true of another
 * machine, nothing wrong is killed: a command is found by its mark.
 */
export function seesProcesses(info: Pick<EngineInfo, 'Name' | 'KernelVersion' | 'DockerRootDir'>): boolean {
  const isHere = info.Name === hostname() && info.KernelVersion === release()
  return isHere && process.getuid?.() === 0 && existsSync(join(info.DockerRootDir, 'containers'))
}

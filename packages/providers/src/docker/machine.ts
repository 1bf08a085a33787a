/** Pure: what this daemon can do, read from what it says of itself. */
import type { EngineInfo } from './api/types/system.ts'
import type { LimitName } from './plan/limits.ts'

export type Machine = {
  readonly enforces: ReadonlySet<LimitName>
  readonly gpu: boolean
  /** Folders that volumes of type `host` may be in or below. */
  readonly hostFolders: readonly string[]
}

/** Storage drivers that limit what a container writes whatever lies below them. */
const limitsDisk: ReadonlySet<string> = new Set(['btrfs', 'zfs'])

export function machineOf(info: EngineInfo, hostFolders: readonly string[]): Machine {
  const enforces = new Set<LimitName>()
  if (info.CpuCfsQuota !== false) enforces.add('cpu')
  if (info.MemoryLimit) enforces.add('memory')
  if (info.PidsLimit !== false) enforces.add('pids')
  if (limitsDisk.has(info.Driver)) enforces.add('disk')
  return { enforces, gpu: info.Runtimes !== undefined && 'nvidia' in info.Runtimes, hostFolders }
}

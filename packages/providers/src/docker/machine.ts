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

export const isRootless = ({ SecurityOptions }: EngineInfo): boolean =>
  (SecurityOptions ?? []).some((option) => option.includes('rootless'))

/** What is limited here and why, in sentences. */
export function limitsSaid(info: EngineInfo, machine: Machine, isRemote: boolean): string[] {
  const rootless = isRootless(info)
  const missing = (['cpu', 'memory', 'pids'] as const).filter((name) => !machine.enforces.has(name))
  return [
    ...(missing.length > 0
      ? [`This engine cannot limit ${missing.join(', ')}: its control groups do not have it`]
      : []),
    ...(machine.enforces.has('disk')
      ? []
      : [`Storage driver ${info.Driver} does not limit what a service writes outside its volumes`]),
    ...(machine.gpu ? [] : ['There is no runtime for graphics processors here']),
    ...(rootless
      ? ['The engine runs without root: addresses of containers may not be reachable from this machine']
      : []),
    ...(isRemote
      ? ['The engine is on another machine: replicas are dialled at their own addresses, which needs a route to them']
      : []),
    ...(info.LiveRestoreEnabled ? [] : ['Containers end with the daemon: it runs without live-restore']),
    'Secrets that are told as environment variables can be read by whoever may use the socket of this engine',
    'Sizes of volumes are not enforced, except in memory',
  ]
}

/** Pure: what a Docker Engine says of itself, and what is limited by that. */
import type { EngineInfo } from '../engine.ts'
import type { EngineInfo as DockerInfo } from './api/types/system.ts'

export type Asked = {
  /** As `/info` answers. */
  readonly info: DockerInfo
  /** What is spoken with it. */
  readonly apiVersion: string
  /** Whether it listens on a socket of this machine. */
  readonly isHere: boolean
}

export function engineInfo({ info, apiVersion, isHere }: Asked): EngineInfo {
  return { version: info.ServerVersion, facts: factsOf(info, apiVersion), limits: limitsOf(info, isHere) }
}

export function isRootless({ SecurityOptions }: Pick<DockerInfo, 'SecurityOptions'>): boolean {
  return (SecurityOptions ?? []).some((option) => option.split(',').includes('name=rootless'))
}

function factsOf(info: DockerInfo, apiVersion: string): Record<string, string> {
  const { Name, Driver, CgroupVersion, CgroupDriver, LiveRestoreEnabled } = info
  return {
    machine: Name,
    api: apiVersion,
    'storage driver': Driver,
    // Engines that do not say so are older than the second version.
    cgroup: `v${CgroupVersion ?? '1'}${CgroupDriver === undefined ? '' : ` by ${CgroupDriver}`}`,
    rootless: isRootless(info) ? 'yes' : 'no',
    'live restore': LiveRestoreEnabled ? 'on' : 'off',
  }
}

function limitsOf(info: DockerInfo, isHere: boolean): string[] {
  const has = (is: boolean | undefined, limit: string): string[] => (is === false ? [limit] : [])
  return [
    ...(isRootless(info) ? [rootless] : []),
    ...(isHere ? [] : [elsewhere]),
    ...has(info.MemoryLimit, 'Memory cannot be limited: its kernel or its rights are not enough'),
    ...has(info.CpuCfsQuota, 'Processor time cannot be limited: its kernel or its rights are not enough'),
    ...has(info.PidsLimit, 'The number of processes cannot be limited: its kernel or its rights are not enough'),
    ...has(info.SwapLimit, 'Swap cannot be limited: beyond its memory, a service may use what swap there is'),
    ...has(info.IPv4Forwarding, 'Forwarding is off on its machine: containers reach nothing beyond it'),
    ...has(info.LiveRestoreEnabled, 'Live restore is off: when the daemon is started again, so is every container'),
    ...(info.Driver === 'vfs' ? ['Storage driver vfs copies every layer whole: images take long, and much disk'] : []),
  ]
}

const rootless =
  'Rootless: its networks lie in a room of their own, where neither the edge nor health checks by http and tcp reach'
const elsewhere =
  'On another machine: the edge and health checks by http and tcp reach containers only where its networks are routed to here'

/** Pure: what a Docker Engine says of itself, and what is limited by that, in sentences. */
import type { EngineInfo } from '../engine.ts'
import type { EngineInfo as DockerInfo } from './api/types/system.ts'
import type { Machine } from './machine.ts'

export type Asked = {
  /** As `/info` answers. */
  readonly info: DockerInfo
  readonly machine: Machine
  /** What is spoken with it. */
  readonly apiVersion: string
  /** Whether it listens elsewhere than on a socket of this machine. */
  readonly isRemote: boolean
}

export function engineInfo({ info, machine, apiVersion, isRemote }: Asked): EngineInfo {
  return { version: info.ServerVersion, facts: factsOf(info, apiVersion), limits: limitsOf(info, machine, isRemote) }
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

function limitsOf(info: DockerInfo, { enforces, gpu }: Machine, isRemote: boolean): string[] {
  const missing = (['cpu', 'memory', 'pids'] as const).filter((name) => !enforces.has(name))
  const unless = (is: boolean, limit: string): string[] => (is ? [] : [limit])
  return [
    ...unless(missing.length === 0, `It cannot limit ${missing.join(', ')}: its control groups do not have it`),
    ...unless(
      info.SwapLimit !== false,
      'It cannot limit swap: beyond its memory, a service may use what swap there is',
    ),
    ...unless(
      enforces.has('disk'),
      `Storage driver ${info.Driver} does not limit what a service writes outside its volumes`,
    ),
    ...unless(info.Driver !== 'vfs', 'Storage driver vfs copies every layer whole: images take long, and much disk'),
    ...unless(gpu, 'There is no runtime for graphics processors'),
    ...unless(
      !isRootless(info),
      'It runs without root: addresses of containers may not be reachable from this machine',
    ),
    ...unless(
      !isRemote,
      'It is on another machine: replicas are dialled at their own addresses, which needs a route to them',
    ),
    ...unless(info.IPv4Forwarding !== false, 'Forwarding is off on its machine: containers reach nothing beyond it'),
    ...unless(info.LiveRestoreEnabled, 'Containers end with the daemon: it runs without live restore'),
    'Secrets that are told as environment variables can be read by whoever may use its socket',
    'Sizes of volumes are not enforced, except in memory',
  ]
}

export function isRootless({ SecurityOptions }: Pick<DockerInfo, 'SecurityOptions'>): boolean {
  return (SecurityOptions ?? []).some((option) => option.split(',').includes('name=rootless'))
}

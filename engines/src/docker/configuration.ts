/** The configuration files of the two daemons: pure. */
import type { Footprint } from './footprint.ts'
import { ranges } from './network.ts'
import * as places from './places.ts'
import type { DockerSettings } from './settings.ts'

/** A daemon refuses to start with a word it does not know: some went out of use with time. */
const lastMajorWith = { keyPath: 23, oomScore: 24 } as const

export function daemonConfiguration(
  folder: string,
  footprint: Footprint,
  { liveRestore }: DockerSettings,
  major: number,
): string {
  const { unnamed } = ranges(footprint.subnet)
  return JSON.stringify({
    hosts: [`unix://${places.dockerSocket(folder)}`],
    containerd: places.containerdSocket(folder),
    'data-root': places.dataRoot(folder),
    'exec-root': places.execRoot(folder),
    pidfile: places.pidFile(folder),
    // Else it writes one to the system's own folder.
    ...(major <= lastMajorWith.keyPath ? { 'deprecated-key-path': places.keyFile(folder) } : {}),
    bridge: footprint.bridge,
    'default-address-pools': [{ base: unnamed, size: 24 }],
    // A setting of the whole machine, which is not ours to change; nothing that is tested leaves the machine.
    'ip-forward': false,
    'cgroup-parent': `/${footprint.cgroup}`,
    'exec-opts': ['native.cgroupdriver=cgroupfs'],
    // Root may not lower it everywhere.
    ...(major <= lastMajorWith.oomScore ? { 'oom-score-adjust': 0 } : {}),
    'storage-driver': 'overlay2',
    'live-restore': liveRestore,
    'log-level': 'warn',
  })
}

export function containerdConfiguration(folder: string): string {
  const text = JSON.stringify
  return `version = 2
root = ${text(places.containerdRoot(folder))}
state = ${text(places.containerdState(folder))}
oom_score = 0
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.internal.v1.opt"]
[grpc]
  address = ${text(places.containerdSocket(folder))}
[debug]
  level = "warn"
`
}

/** Why this machine cannot run a Docker daemon, told without starting one. */
import { readFile, stat } from 'node:fs/promises'
import { noDebianPackages } from '../debian-packages.ts'

/** What the daemon cannot do without: to mount and to make interfaces. Their numbers are the kernel's. */
const capabilities = { CAP_NET_ADMIN: 12, CAP_SYS_ADMIN: 21 } as const

export type Machine = {
  readonly platform: string
  readonly uid: number
  /** /proc/self/status */
  readonly status: string
  /** /proc/filesystems */
  readonly filesystems: string
  readonly hasControlGroups: boolean
  readonly noPackages: string | undefined
}

export async function probeDocker(): Promise<string | undefined> {
  if (process.platform !== 'linux') return dockerObstacle({ ...nothing, platform: process.platform })
  const [status, filesystems, controllers] = await Promise.all([
    readFile('/proc/self/status', 'utf8'),
    readFile('/proc/filesystems', 'utf8'),
    Promise.all(['cgroup.controllers', 'memory'].map((name) => isThere(`/sys/fs/cgroup/${name}`))),
  ])
  return dockerObstacle({
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
    status,
    filesystems,
    hasControlGroups: controllers.includes(true),
    noPackages: noDebianPackages(),
  })
}

const nothing = { uid: 0, status: '', filesystems: '', hasControlGroups: false, noPackages: undefined }

/** Pure: the first thing in the way. */
export function dockerObstacle(machine: Machine): string | undefined {
  if (machine.platform !== 'linux') return `it runs on Linux, and this is ${machine.platform}`
  if (machine.uid !== 0) return 'it runs as root only; run the tests as root, or in a container that is'
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(machine.status)?.[1] ?? '0'}`)
  const lacking = Object.entries(capabilities).filter(([, number]) => ((held >> BigInt(number)) & 1n) === 0n)
  if (lacking.length > 0) return `root lacks ${lacking.map(([name]) => name).join(' and ')} here`
  if (!/\boverlay$/m.test(machine.filesystems)) return 'the kernel has no overlay filesystem; try modprobe overlay'
  if (!machine.hasControlGroups) return 'no control groups are mounted at /sys/fs/cgroup'
  return machine.noPackages
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

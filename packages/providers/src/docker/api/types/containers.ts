/** Containers in the engine's own words: only the fields that are used. */
import type { EndpointSettings } from './networks.ts'

export type HealthCheck = {
  /** `['NONE']`, `['CMD', …argv]` or `['CMD-SHELL', text]`. */
  readonly Test: readonly string[]
  /** Nanoseconds, as all of these. */
  readonly Interval?: number
  readonly Timeout?: number
  readonly StartPeriod?: number
  /** Only where `capabilities.healthStartInterval` says so. */
  readonly StartInterval?: number
  readonly Retries?: number
}

export type PortBinding = { readonly HostIp: string; readonly HostPort: string }

export type Mount = {
  readonly Type: 'bind' | 'volume' | 'tmpfs'
  readonly Source?: string
  readonly Target: string
  readonly ReadOnly?: boolean
  readonly TmpfsOptions?: { readonly SizeBytes?: number; readonly Mode?: number }
  readonly VolumeOptions?: { readonly NoCopy?: boolean; readonly Labels?: Readonly<Record<string, string>> }
}

export type DeviceRequest = {
  readonly Driver?: string
  readonly Count?: number
  readonly DeviceIDs?: readonly string[]
  readonly Capabilities: readonly (readonly string[])[]
}

export type RestartPolicy = {
  readonly Name: 'no' | 'always' | 'unless-stopped' | 'on-failure'
  readonly MaximumRetryCount?: number
}

export type HostConfig = {
  readonly NanoCpus?: number
  readonly CpuShares?: number
  readonly Memory?: number
  readonly MemorySwap?: number
  readonly MemoryReservation?: number
  readonly PidsLimit?: number
  readonly DeviceRequests?: readonly DeviceRequest[]
  readonly Mounts?: readonly Mount[]
  readonly NetworkMode?: string
  readonly IpcMode?: string
  readonly PidMode?: string
  readonly PortBindings?: Readonly<Record<string, readonly PortBinding[]>>
  readonly RestartPolicy?: RestartPolicy
  readonly ExtraHosts?: readonly string[]
  readonly CapAdd?: readonly string[]
  readonly CapDrop?: readonly string[]
  readonly SecurityOpt?: readonly string[]
  readonly ReadonlyRootfs?: boolean
  readonly Init?: boolean
  /** `{ size: '…' }` where the storage driver can limit what a container writes. */
  readonly StorageOpt?: Readonly<Record<string, string>>
  readonly LogConfig?: { readonly Type: string; readonly Config?: Readonly<Record<string, string>> }
}

export type ContainerSettings = {
  readonly Image: string
  readonly Hostname?: string
  readonly Cmd?: readonly string[]
  readonly Entrypoint?: readonly string[]
  readonly Env?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
  readonly Labels?: Readonly<Record<string, string>>
  readonly ExposedPorts?: Readonly<Record<string, Readonly<Record<string, never>>>>
  readonly Healthcheck?: HealthCheck
  readonly StopSignal?: string
  /** Seconds. */
  readonly StopTimeout?: number
  readonly Tty?: boolean
  readonly OpenStdin?: boolean
}

export type CreateContainer = ContainerSettings & {
  readonly HostConfig?: HostConfig
  /** One network only, unless `capabilities.severalNetworksAtCreate` says otherwise. */
  readonly NetworkingConfig?: { readonly EndpointsConfig: Readonly<Record<string, EndpointSettings>> }
}

/** What can be changed of a container that is there. */
export type UpdateContainer = Pick<
  HostConfig,
  'NanoCpus' | 'CpuShares' | 'Memory' | 'MemorySwap' | 'MemoryReservation' | 'PidsLimit' | 'RestartPolicy'
>

export type CreatedContainer = { readonly Id: string; readonly Warnings: readonly string[] | null }

export type ContainerStatus = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead'

export type ContainerState = {
  readonly Status: ContainerStatus
  readonly Running: boolean
  readonly Paused: boolean
  readonly Restarting: boolean
  readonly OOMKilled: boolean
  readonly Pid: number
  readonly ExitCode: number
  readonly Error: string
  /** `0001-01-01T00:00:00Z` for never. */
  readonly StartedAt: string
  readonly FinishedAt: string
  readonly Health?: { readonly Status: 'none' | 'starting' | 'healthy' | 'unhealthy'; readonly FailingStreak: number }
}

export type AttachedNetwork = {
  readonly NetworkID: string
  readonly IPAddress: string
  readonly Gateway: string
  readonly Aliases: readonly string[] | null
}

export type Container = {
  readonly Id: string
  /** With a slash before it. */
  readonly Name: string
  readonly Created: string
  /** The id of the image. */
  readonly Image: string
  readonly RestartCount: number
  readonly State: ContainerState
  readonly Config: ContainerSettings & { readonly Labels: Readonly<Record<string, string>> | null }
  readonly HostConfig: HostConfig
  readonly Mounts: readonly {
    readonly Type: string
    readonly Name?: string
    readonly Source: string
    readonly Destination: string
  }[]
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly PortBinding[] | null>> | null
    readonly Networks: Readonly<Record<string, AttachedNetwork>>
  }
}

/** A line of the list: less than an inspection, for all of them at the cost of one request. */
export type ContainerSummary = {
  readonly Id: string
  readonly Names: readonly string[]
  readonly Image: string
  readonly ImageID: string
  /** Seconds since 1970. */
  readonly Created: number
  readonly State: ContainerStatus
  /** What it has written over its image; only where it was asked for, and left out for nothing. */
  readonly SizeRw?: number
  /** For people: `Up 2 minutes (healthy)`. */
  readonly Status: string
  readonly Labels: Readonly<Record<string, string>> | null
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, AttachedNetwork>> } | null
}

export type ContainerStats = {
  readonly read: string
  readonly cpu_stats: { readonly cpu_usage: { readonly total_usage: number }; readonly system_cpu_usage?: number }
  readonly memory_stats: {
    readonly usage?: number
    readonly limit?: number
    readonly stats?: Readonly<Record<string, number>>
  }
  readonly pids_stats: { readonly current?: number; readonly limit?: number }
  readonly networks?: Readonly<Record<string, { readonly rx_bytes: number; readonly tx_bytes: number }>>
  readonly blkio_stats: {
    readonly io_service_bytes_recursive: readonly { readonly op: string; readonly value: number }[] | null
  }
}

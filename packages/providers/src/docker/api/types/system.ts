/** The engine itself, in its own words: only the fields that are used. */
export type EngineVersion = {
  readonly Version: string
  readonly ApiVersion: string
  readonly MinAPIVersion?: string
  readonly Os: string
  readonly Arch: string
  readonly KernelVersion?: string
}

export type EngineInfo = {
  readonly ID: string
  readonly Name: string
  readonly ServerVersion: string
  readonly KernelVersion?: string
  /** By its own clock, to the nanosecond. */
  readonly SystemTime: string
  readonly Driver: string
  readonly DockerRootDir: string
  readonly CgroupVersion?: string
  readonly CgroupDriver?: string
  readonly LiveRestoreEnabled: boolean
  /** `name=rootless` is one of them where it is. */
  readonly SecurityOptions: readonly string[] | null
  readonly NCPU: number
  readonly MemTotal: number
  readonly MemoryLimit: boolean
  readonly PidsLimit?: boolean
  readonly CpuCfsQuota?: boolean
  /** Pairs of words: `['Backing Filesystem', 'extfs']`. */
  readonly DriverStatus?: readonly (readonly [string, string])[] | null
  readonly SwapLimit?: boolean
  readonly IPv4Forwarding?: boolean
  readonly Runtimes?: Readonly<Record<string, unknown>>
  readonly Warnings?: readonly string[] | null
}

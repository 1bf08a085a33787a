/** Pure: a container as far as we care, from what the daemon says of it. */
import type { Container, ContainerStatus } from '../api/types/containers.ts'
import type { Limits } from '../plan/limits.ts'

export type ContainerSeen = {
  readonly id: string
  readonly name: string
  /** The id of its image. */
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
  readonly status: ContainerStatus
  readonly exitCode: number
  readonly oomKilled: boolean
  /** Why it could not be started, in the daemon's words; empty: it could. */
  readonly error: string
  readonly createdAt: number
  /** Of the run that goes on, or of the last one; `undefined`: it never ran. */
  readonly startedAt: number | undefined
  /** As the daemon has it, to the nanosecond: another for every run. */
  readonly run: string
  readonly finishedAt: number | undefined
  /** Starts by the daemon's own policy since somebody last started it. */
  readonly restarts: number
  readonly policy: string
  readonly limits: Limits
  readonly networkMode: string
  /** On each network that it is in. */
  readonly addresses: Readonly<Record<string, string>>
  readonly tty: boolean
  /** Names of those that it has, in order. */
  readonly volumes: readonly string[]
}

export function seenOf({
  Id,
  Name,
  Image,
  Created,
  RestartCount,
  State,
  Config,
  HostConfig,
  NetworkSettings,
  Mounts,
}: Container): ContainerSeen {
  const { NanoCpus = 0, CpuShares = 0, Memory = 0, MemoryReservation = 0, PidsLimit } = HostConfig
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    image: Image,
    labels: Config.Labels ?? {},
    status: State.Status,
    exitCode: State.ExitCode,
    oomKilled: State.OOMKilled,
    error: State.Error,
    createdAt: Date.parse(Created),
    startedAt: momentOf(State.StartedAt),
    run: State.StartedAt,
    finishedAt: momentOf(State.FinishedAt),
    restarts: RestartCount,
    policy: HostConfig.RestartPolicy?.Name || 'no',
    limits: { NanoCpus, CpuShares, Memory, MemoryReservation, PidsLimit: PidsLimit ?? 0 },
    networkMode: HostConfig.NetworkMode ?? '',
    addresses: Object.fromEntries(
      Object.entries(NetworkSettings.Networks).map(([name, { IPAddress }]) => [name, IPAddress]),
    ),
    tty: Config.Tty ?? false,
    // Engines list them in whatever order, another one each time.
    volumes: Mounts.flatMap(({ Type, Name }) => (Type === 'volume' && Name !== undefined ? [Name] : [])).sort(),
  }
}

/** The daemon has a year of its own for never. */
function momentOf(text: string): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) || at <= 0 ? undefined : at
}

/** Something of it lives. */
export const lives = (container: ContainerSeen | undefined): boolean =>
  container !== undefined &&
  (['running', 'paused', 'restarting'] as const).some((status) => status === container.status)

export const runs = (container: ContainerSeen | undefined): boolean =>
  container?.status === 'running' || container?.status === 'paused'

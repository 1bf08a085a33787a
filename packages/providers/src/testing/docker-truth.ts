/** What really is on a Docker Engine, read past the provider: from the plain API, /proc and control groups. */
import type { Call } from '@gantry/core'
import type { Truth, TruthObject, TruthService } from '../contract/harness.ts'
import type { DockerApi } from '../docker/api/api.ts'
import type { Container, HostConfig } from '../docker/api/types/containers.ts'
import type { Volume } from '../docker/api/types/volumes.ts'
import { retainLabel, volumeLabel } from '../docker/plan/volumes.ts'
import { engineLabel, label, ownerLabels } from '../labels.ts'
import type { Ref } from '../ref.ts'
import { groupMembers, isAlive, limitsOf, parentOf } from './kernel.ts'

/** The keys by which an instance is known; a volume is known by all of them but the uid. */
const heirKeys = [label.installation, label.tenant, label.workload, label.slot]

export async function dockerTruth(docker: DockerApi, installation: string, ref: Ref, call: Call): Promise<Truth> {
  const owner = ownerLabels(installation, ref)
  const heir = Object.fromEntries(heirKeys.map((key) => [key, owner[key] ?? '']))
  const [containers, found] = await Promise.all([
    containersOf(docker, labelled(owner), call),
    docker.volumes.list(labelled(heir), call),
  ])
  const volumes = found.filter((each) => isKept(each) || each.Labels?.[label.uid] === ref.uid)
  const objects: TruthObject[] = [
    ...containers.map(({ Id, Config }) => ({ id: Id, kind: 'container', labels: Config.Labels ?? {} })),
    ...volumes.map((each) => ({ id: each.Name, kind: kindOf(each), labels: each.Labels ?? {} })),
  ]
  return {
    objects,
    services: containers.flatMap(serviceOf),
    volumes: volumes.filter(isKept).map(({ Name, Labels }) => ({
      id: Name,
      name: Labels?.[volumeLabel] ?? '',
      replica: Number(Labels?.[label.replica]),
    })),
  }
}

/** Whether it can outlive its instance. */
const isKept = ({ Labels }: Volume): boolean => Labels?.[retainLabel] !== undefined

/** Those of one replica alone go with it, whatever is in them. */
const kindOf = ({ Labels }: Volume): string => (Labels?.[engineLabel] === undefined ? 'volume' : 'replica volume')

/** What carries all of these. */
export const labelled = (labels: Readonly<Record<string, string>>) => ({
  label: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
})

/** Without those that go while we look. */
export async function containersOf(
  docker: DockerApi,
  filters: { readonly label: readonly string[] },
  call: Call,
): Promise<Container[]> {
  const found = await docker.containers.list({ all: true, filters }, call)
  const all = await Promise.all(found.map(({ Id }) => docker.containers.inspect(Id, call)))
  return all.filter((each) => each !== undefined)
}

function serviceOf({ Id, Config, State, HostConfig }: Container): TruthService[] {
  const { [label.service]: service, [label.replica]: replica } = Config.Labels ?? {}
  if (service === undefined) return []
  const running = State.Pid !== 0 && isAlive(State.Pid)
  return [
    {
      replica: Number(replica),
      service,
      processId: `${Id.slice(0, 12)} ${State.StartedAt} ${State.Pid}`,
      running,
      startedAt: Date.parse(State.StartedAt),
      commands: running ? commandsIn(State.Pid) : 0,
      limits: running ? { ...limitsOf(State.Pid), ...gpusOf(HostConfig) } : {},
      requests: requestsOf(HostConfig),
    },
  ]
}

/** What runs in a container and was begun by nobody in it, but for its main process. */
function commandsIn(main: number): number {
  const members = new Set(groupMembers(main))
  return [...members].filter((pid) => pid !== main && isAlive(pid) && !members.has(parentOf(pid))).length
}

function gpusOf({ DeviceRequests }: HostConfig): { gpus?: number } {
  const count = (DeviceRequests ?? []).reduce((sum, { Count = 0 }) => sum + Count, 0)
  return count > 0 ? { gpus: count } : {}
}

/** A core has 1024 shares. */
function requestsOf({ CpuShares = 0, MemoryReservation = 0 }: HostConfig): TruthService['requests'] {
  return {
    ...(CpuShares > 0 ? { cpuMillis: Math.round((1000 * CpuShares) / 1024) } : {}),
    ...(MemoryReservation > 0 ? { memoryBytes: MemoryReservation } : {}),
  }
}

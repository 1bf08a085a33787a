/** What can be done with workloads beside reading and writing them. */
import type { ObjectOf } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import type { AbortBody, DeployBody, RollbackBody, ScaleBody } from '../schemas/actions.ts'
import type { ObjectPage } from '../schemas/list.ts'
import type { WorkloadLog } from '../schemas/logs.ts'
import type { ReplicaList } from '../schemas/replicas.ts'
import type { UsageReply } from '../schemas/usage.ts'
import { type CallOptions, callEndpoint, perform } from './call.ts'
import { type ExecOptions, exec, type RunningExec } from './exec.ts'
import { type KindClient, kindClient, type WriteOptions } from './kind-client.ts'
import { type LogOptions, readLogs } from './logs.ts'
import { type Paged, paged } from './pages.ts'
import { type ForwardedConnection, type ForwardOptions, portForward } from './port-forward.ts'
import type { Watcher } from './watch.ts'

type Found = ObjectOf<'Workload'>

/** For the newest rollout of a workload; `illegal_transition` if that has ended. */
export interface RolloutControl {
  pause(workload: string, options?: CallOptions): Promise<ObjectOf<'Rollout'>>
  resume(workload: string, options?: CallOptions): Promise<ObjectOf<'Rollout'>>
  /** Opens the gate that it waits at. */
  promote(workload: string, options?: CallOptions): Promise<ObjectOf<'Rollout'>>
  /** Goes back to the release before. */
  abort(workload: string, why?: AbortBody, options?: CallOptions): Promise<ObjectOf<'Rollout'>>
}

export type DeleteWorkloadOptions = WriteOptions & {
  /** Volumes that would be retained go too. */
  readonly volumes?: boolean | undefined
  /** Gives up on an engine that is gone for good: it is left alone, and what may be left there is kept in audit. */
  readonly abandon?: boolean | undefined
  /** Kept in audit with what was abandoned. */
  readonly why?: string | undefined
}

/** Each action changes the spec and answers at once; watch the workload or its rollouts to see it become true. */
export interface WorkloadClient extends KindClient<'Workload'> {
  delete(name: string, options?: DeleteWorkloadOptions): Promise<Found>
  /** Changes some services and rolls them out; with none, the same again in new processes. */
  deploy(name: string, changes?: DeployBody, options?: WriteOptions): Promise<Found>
  /** Brings back a release that is kept; left out: the one before. */
  rollback(name: string, to?: RollbackBody, options?: WriteOptions): Promise<Found>
  scale(name: string, to: ScaleBody, options?: WriteOptions): Promise<Found>
  start(name: string, options?: WriteOptions): Promise<Found>
  /** Ends its processes and keeps everything else. */
  stop(name: string, options?: WriteOptions): Promise<Found>
  /** Replaces every replica, as its strategy says. */
  restart(name: string, options?: WriteOptions): Promise<Found>
  readonly rollout: RolloutControl
  /** Those that are kept, by name. */
  releases(name: string, options?: CallOptions): Paged<ObjectOf<'Release'>, ObjectPage<'Release'>>
  rollouts(name: string, options?: CallOptions): Paged<ObjectOf<'Rollout'>, ObjectPage<'Rollout'>>
  /** What runs now, and of what nothing is known. */
  replicas(name: string, options?: CallOptions): Promise<ReplicaList>
  /** Lines of all its replicas that are and were, in order of time; with `follow` also those that come. */
  logs(name: string, options?: LogOptions): AsyncIterableIterator<WorkloadLog, void>
  /** What it used, of the last hour unless told otherwise. */
  usage(name: string, options?: CallOptions & { readonly minutes?: number }): Promise<UsageReply>
  /** Runs a command inside a service; resolves when it runs. */
  exec(name: string, argv: readonly string[], options?: ExecOptions): Promise<RunningExec>
  /** Connects to a port of a replica, by its name or the number in the spec. */
  portForward(name: string, port: string | number, options?: ForwardOptions): Promise<ForwardedConnection>
}

export function workloadClient(watcher: Watcher, tenant: string): WorkloadClient {
  const { workloads, actions, rolloutActs, looks, streams } = watcher.endpoints
  const act = (endpoint: Endpoint, name: string, { ifGeneration, ...options }: WriteOptions = {}, body?: unknown) =>
    perform(watcher, endpoint, { params: { tenant, name }, body, ifGeneration }, options) as Promise<Found>
  const say = (endpoint: Endpoint, name: string, options?: CallOptions, body?: unknown) =>
    perform(watcher, endpoint, { params: { tenant, name }, body }, options) as Promise<ObjectOf<'Rollout'>>
  return {
    ...kindClient<'Workload'>(watcher, workloads, { tenant }),
    delete: (name, { ifGeneration, volumes, abandon, why, ...options } = {}) =>
      perform(
        watcher,
        workloads.delete,
        { params: { tenant, name }, query: { volumes, abandon, why }, ifGeneration },
        options,
      ) as Promise<Found>,
    deploy: (name, changes = {}, options) => act(actions.deploy, name, options, changes),
    rollback: (name, to = {}, options) => act(actions.rollback, name, options, to),
    scale: (name, to, options) => act(actions.scale, name, options, to),
    start: (name, options) => act(actions.start, name, options),
    stop: (name, options) => act(actions.stop, name, options),
    restart: (name, options) => act(actions.restart, name, options),
    releases: (name, options) =>
      paged((from) =>
        callEndpoint(watcher, looks.releases, { params: { tenant, name }, query: { continue: from } }, options),
      ),
    rollouts: (name, options) =>
      paged((from) =>
        callEndpoint(watcher, looks.rollouts, { params: { tenant, name }, query: { continue: from } }, options),
      ),
    replicas: (name, options) => callEndpoint(watcher, looks.replicas, { params: { tenant, name } }, options),
    rollout: {
      pause: (name, options) => say(rolloutActs.pause, name, options),
      resume: (name, options) => say(rolloutActs.resume, name, options),
      promote: (name, options) => say(rolloutActs.promote, name, options),
      abort: (name, why = {}, options) => say(rolloutActs.abort, name, options, why),
    },
    logs: (name, options) => readLogs(watcher, { tenant, name }, options),
    usage: (name, { minutes, ...options } = {}) =>
      callEndpoint(watcher, streams.usage, { params: { tenant, name }, query: { minutes } }, options),
    exec: (name, argv, options) => exec(watcher, { tenant, name }, argv, options),
    portForward: (name, port, options) => portForward(watcher, { tenant, name }, port, options),
  }
}

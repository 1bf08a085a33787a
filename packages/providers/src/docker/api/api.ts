/**
 * What we ask of a Docker Engine. Every method stops on `call.signal` with its reason. An engine that does not answer in
 * time throws `deadline_exceeded`, one that cannot be reached or goes away `engine_unreachable`; what else an engine may
 * answer is one table, `faults.ts`. What is absent is `undefined` where it was looked for, and done where it was to go.
 * A stream must be read to its end, left, or its signal ended: it holds a connection.
 */
import type { Call } from '@gantry/core'
import type { OutputFrame } from './frames.ts'
import type * as Containers from './types/containers.ts'
import type { DockerEvent, Filters } from './types/events.ts'
import type { CreateExec, Exec } from './types/exec.ts'
import type { DistributedImage, Image, PullProgress, RegistryAuth } from './types/images.ts'
import type { CreateNetwork, EndpointSettings, Network } from './types/networks.ts'
import type { EngineInfo, EngineVersion } from './types/system.ts'
import type { CreateVolume, Volume } from './types/volumes.ts'
import type { DockerCapabilities } from './versions.ts'

export interface DockerApi {
  /** What both sides speak: `1.41`. */
  readonly apiVersion: string
  readonly capabilities: DockerCapabilities
  readonly system: SystemApi
  readonly containers: ContainersApi
  readonly images: ImagesApi
  readonly networks: NetworksApi
  readonly volumes: VolumesApi
  readonly execs: ExecsApi
  /** Closes idle connections; what is under way goes on. */
  close(): void
}

export interface SystemApi {
  /** That it answers at all: costs it nothing, however many containers it has. */
  ping(call: Call): Promise<void>
  version(call: Call): Promise<EngineVersion>
  info(call: Call): Promise<EngineInfo>
  /**
   * Resolves when the engine has taken the question. `since` and `until` are seconds since 1970 by its clock, with up to
   * nine digits after the point; it sends what it still has since then, and then what comes, until `until` if given.
   */
  events(which: EventRange, call: Call): Promise<AsyncIterable<DockerEvent>>
  /** Bytes by name of volume, where the driver can tell. Slow: it counts all files, and on 1.41 those of images too. */
  volumeSizes(call: Call): Promise<ReadonlyMap<string, number>>
}

export type EventRange = { readonly since?: string; readonly until?: string; readonly filters?: Filters }

export interface ContainersApi {
  list(which: ContainerRange, call: Call): Promise<Containers.ContainerSummary[]>
  inspect(id: string, call: Call): Promise<Containers.Container | undefined>
  /** Throws `engine_object_exists` where the name is taken, `engine_object_not_found` where the image is not there. */
  create(name: string, settings: Containers.CreateContainer, call: Call): Promise<Containers.CreatedContainer>
  /** Done too where it runs already. */
  start(id: string, call: Call): Promise<void>
  /**
   * Asks it to end, and kills it after the grace; resolves when it has ended. Done too where it does not run. Throws
   * `engine_busy` where its end was not seen in time: it comes.
   */
  stop(id: string, graceSeconds: number, call: Call): Promise<void>
  /** Ends it as `stop` does where it runs, and starts it; resolves when it has. */
  restart(id: string, graceSeconds: number, call: Call): Promise<void>
  /** Of a container that somebody paused; done too where it is not. */
  unpause(id: string, call: Call): Promise<void>
  /** Changes limits and the restart policy, also while it runs. */
  update(id: string, settings: Containers.UpdateContainer, call: Call): Promise<void>
  /** Throws `service_not_running` where it does not run. */
  kill(id: string, signal: string, call: Call): Promise<void>
  rename(id: string, name: string, call: Call): Promise<void>
  /** Resolves with its exit code when it has ended; waits for as long as the caller does. */
  wait(id: string, condition: 'not-running' | 'next-exit' | 'removed', call: Call): Promise<number>
  /**
   * Done too where there is none. `volumes` removes those without a name with it. Throws `engine_busy` where it is still on its
   * way out: it goes, or does so when it is asked for again.
   */
  remove(id: string, options: { readonly force: boolean; readonly volumes: boolean }, call: Call): Promise<void>
  /** Each frame as the container wrote it: with timestamps, each begins with one, also in the middle of a long line. */
  logs(id: string, which: LogRange, call: Call): Promise<AsyncIterable<OutputFrame>>
  /** The same, as many frames at a time as came together. */
  logBlocks(id: string, which: LogRange, call: Call): Promise<AsyncIterable<readonly OutputFrame[]>>
  /** As things are now, without the second that the engine would wait to compare. Undefined if there is none. */
  stats(id: string, call: Call): Promise<Containers.ContainerStats | undefined>
  /** Unpacks a tar archive into a folder of the container. */
  putArchive(id: string, folder: string, archive: ArchiveBody, call: Call): Promise<void>
  /** A file or folder of the container, as a tar archive. */
  getArchive(id: string, path: string, call: Call): Promise<AsyncIterable<Buffer>>
}

export type ContainerRange = {
  /** Also those that do not run. */
  readonly all: boolean
  readonly filters?: Filters
  /** With what each has written: slow, since files are counted for it. */
  readonly size?: boolean
}

export type ArchiveBody = Uint8Array | AsyncIterable<Uint8Array>

export type LogRange = {
  /** Whether the container has a terminal: its output then has no frames. */
  readonly tty: boolean
  readonly follow: boolean
  readonly timestamps: boolean
  /** As of events, and inclusive. */
  readonly since?: string
  readonly until?: string
  readonly tail?: number
}

export interface ImagesApi {
  inspect(reference: string, call: Call): Promise<Image | undefined>
  /** Resolves when the image is there. Throws `image_pull_failed` with the registry's words. */
  pull(reference: string, options: PullOptions, call: Call): Promise<void>
  /** Asks the registry what a reference means now. Throws `image_pull_failed` with its words. */
  distributed(reference: string, auth: RegistryAuth | undefined, call: Call): Promise<DistributedImage>
  /** Takes in a tar archive as `docker save` writes it. */
  load(archive: ArchiveBody, call: Call): Promise<void>
  tag(id: string, name: string, tag: string, call: Call): Promise<void>
  /** Done too where there is none; throws `engine_object_conflict` where a container uses it. */
  remove(reference: string, call: Call): Promise<void>
}

export type PullOptions = {
  readonly auth?: RegistryAuth
  /** `linux/arm64`; left out: that of the engine. */
  readonly platform?: string
  readonly onProgress?: (progress: PullProgress) => void
}

export interface NetworksApi {
  list(filters: Filters, call: Call): Promise<Network[]>
  inspect(id: string, call: Call): Promise<Network | undefined>
  /** Answers its id. */
  create(settings: CreateNetwork, call: Call): Promise<string>
  connect(id: string, container: string, settings: EndpointSettings, call: Call): Promise<void>
  /** Done too where it was not connected. */
  disconnect(id: string, container: string, call: Call): Promise<void>
  /** Done too where there is none; throws `engine_object_conflict` where containers are in it. */
  remove(id: string, call: Call): Promise<void>
}

export interface VolumesApi {
  list(filters: Filters, call: Call): Promise<Volume[]>
  inspect(name: string, call: Call): Promise<Volume | undefined>
  /** Answers the one that is there where there is one of this name, whatever its labels: look at them. */
  create(settings: CreateVolume, call: Call): Promise<Volume>
  /** Done too where there is none; throws `engine_object_conflict` where a container has it. */
  remove(name: string, call: Call): Promise<void>
}

export interface ExecsApi {
  /** Answers its id; throws `service_not_running` where the container does not run. */
  create(container: string, settings: CreateExec, call: Call): Promise<string>
  /** Resolves when it has begun. Ending the session kills nothing: the engine has no way to. */
  start(id: string, options: { readonly tty: boolean }, call: Call): Promise<ExecSession>
  inspect(id: string, call: Call): Promise<Exec | undefined>
  resize(id: string, size: { readonly rows: number; readonly columns: number }, call: Call): Promise<void>
  /** Resolves when it has ended: its output may end a moment before the engine knows. */
  exitCode(id: string, call: Call): Promise<number>
}

export interface ExecSession {
  /** Ends with the command, or with the call's signal. */
  readonly output: AsyncIterable<OutputFrame>
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** The command reads the end of its input. */
  endInput(): void
  close(): void
}

/**
 * What we ask of a Kubernetes API server. Every method stops on `call.signal` with its reason. A server that does not answer
 * in time throws `deadline_exceeded`, one that cannot be reached or goes away `engine_unreachable`; what else it may answer is
 * one table, `faults.ts`. What is absent is `undefined` where it was looked for, and done where it was to go. A stream must be
 * read to its end, left, or its signal ended: it holds a connection.
 */
import type { Call } from '@gantry/core'
import type { ServerVersion } from './types/discovery.ts'
import type { KubeObject, ListMeta } from './types/meta.ts'

/** A kind as the server has it: what paths are made of. */
export type Resource = {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

/** One object. `namespace` is left out for kinds of the whole cluster. */
export type ObjectAt = { readonly resource: Resource; readonly namespace?: string; readonly name: string }

/** All objects of a kind, of one namespace or (left out) of all. */
export type Collection = { readonly resource: Resource; readonly namespace?: string }

export interface KubernetesApi {
  /** Where the server is, for people: `https://10.0.0.1:6443`. */
  readonly server: string
  readonly discovery: DiscoveryApi
  readonly objects: ObjectsApi
  readonly pods: PodsApi
  /** Any other path, for what has no method here (`/readyz`, `/apis/metrics.k8s.io/…`). Undefined where there is none (404). */
  raw<T>(path: string, call: Call): Promise<T | undefined>
  /** Closes idle connections; what is under way goes on. */
  close(): void
}

export interface DiscoveryApi {
  version(call: Call): Promise<ServerVersion>
  /** From the cache; a kind that is not in it is looked for anew once, since it may be young. Undefined: there is no such kind. */
  resource(apiVersion: string, kind: string, call: Call): Promise<Resource | undefined>
  /** All kinds that can be listed, in their preferred versions. A group whose own server is away is left out and named. */
  all(call: Call): Promise<{ readonly resources: readonly Resource[]; readonly unavailable: readonly string[] }>
  /** Forgets what is cached: after a CRD was made or has gone. */
  refresh(): void
}

export interface ObjectsApi {
  get<T extends KubeObject>(at: ObjectAt, call: Call): Promise<T | undefined>
  /** Whole, read by pages; `resourceVersion` is where a watch begins. A page that expired meanwhile begins the list anew once. */
  list<T extends KubeObject>(of: Collection, which: Selection, call: Call): Promise<Listed<T>>
  /**
   * Resolves when the server has taken the question. Begins behind `resourceVersion`; bookmarks are told as such. The stream
   * ends when the server ends it (that is usual: ask again from the last version). A version that is too old throws
   * `version_expired`, whether it is told by the status or inside the stream: list anew.
   */
  watch<T extends KubeObject>(
    of: Collection,
    from: Selection & { readonly resourceVersion: string },
    call: Call,
  ): Promise<AsyncIterable<WatchEvent<T>>>
  /**
   * Server-side apply: creates or changes, and owns the fields that are in `object`. Without `force` a field of another manager
   * throws `engine_object_conflict`, with an issue for each field, naming its manager.
   */
  apply<T extends KubeObject>(at: ObjectAt, object: object, options: ApplyOptions, call: Call): Promise<T>
  /** Throws `engine_object_exists` where the name is taken. */
  create<T extends KubeObject>(of: Collection, object: object, options: WriteOptions, call: Call): Promise<T>
  /** Over exactly the resourceVersion in `object`, where there is one; throws `version_conflict` if it has moved. */
  replace<T extends KubeObject>(at: ObjectAt, object: object, options: WriteOptions, call: Call): Promise<T>
  /** Undefined where there is none. `subresource`: `scale`, `status` … */
  patch<T extends KubeObject>(at: ObjectAt, patch: Patch, options: PatchOptions, call: Call): Promise<T | undefined>
  /**
   * Answers what is left: `undefined` when nothing is there (also where nothing was), the object while its finalizers or its
   * grace keep it. With `uid` another object of that name is left alone, and counts as nothing being there.
   */
  delete(at: ObjectAt, options: DeleteOptions, call: Call): Promise<KubeObject | undefined>
}

export type Selection = {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Only metadata of each object (PartialObjectMetadata): far less to read where the rest is not needed. */
  readonly metadataOnly?: boolean
}

export type Listed<T> = { readonly items: readonly T[]; readonly metadata: ListMeta }

export type WatchEvent<T> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: T }
  | { readonly type: 'bookmark'; readonly resourceVersion: string }

export type WriteOptions = { readonly fieldManager: string; readonly dryRun?: boolean }
export type ApplyOptions = WriteOptions & { readonly force: boolean }
export type PatchOptions = WriteOptions & { readonly subresource?: string }

export type Patch =
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'json'; readonly body: readonly JsonPatchStep[] }
  | { readonly type: 'strategic'; readonly body: object }

export type JsonPatchStep = {
  readonly op: 'add' | 'remove' | 'replace' | 'test'
  readonly path: string
  readonly value?: unknown
}

export type DeleteOptions = {
  readonly uid?: string
  readonly propagation?: 'background' | 'foreground' | 'orphan'
  readonly graceSeconds?: number
  readonly dryRun?: boolean
}

export type ContainerAt = { readonly namespace: string; readonly pod: string; readonly container: string }

export interface PodsApi {
  /** Bytes as the kubelet has them, each line with its time before it where `timestamps` is set. */
  logs(at: ContainerAt, which: PodLogRange, call: Call): Promise<AsyncIterable<Buffer>>
  /** Resolves when the command has begun. Throws `service_not_running` where the container does not run. */
  exec(at: ContainerAt, request: PodExec, call: Call): Promise<PodStream>
  /** Joins the process that runs already. */
  attach(at: ContainerAt, request: Omit<PodExec, 'argv'>, call: Call): Promise<PodStream>
  /** A plain connection, both ways, to a port of the pod. */
  portForward(
    at: { readonly namespace: string; readonly pod: string },
    port: number,
    call: Call,
  ): Promise<PodConnection>
}

export type PodLogRange = {
  readonly follow: boolean
  readonly timestamps: boolean
  /** Of the run before this one. */
  readonly previous?: boolean
  /** Whole seconds are all that the server heeds. */
  readonly since?: Date
  /** Not together with `stream`. */
  readonly tail?: number
  readonly limitBytes?: number
  /** One of the two alone, where the server can tell them apart (`PodLogsQuerySplitStreams`); others refuse it. */
  readonly stream?: 'Stdout' | 'Stderr'
}

export type PodExec = { readonly argv: readonly string[]; readonly stdin: boolean; readonly tty: boolean }

/** Ending it kills nothing: the server has no way to. */
export interface PodStream {
  /** Empty with a terminal but for stdout. Each is to be read once. */
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** The command reads the end of its input; throws `capability_missing` where the server speaks only v4. */
  endInput(): Promise<void>
  resize(size: { readonly rows: number; readonly columns: number }): Promise<void>
  /** The exit code, from the server's own words; rejects where the connection broke before they came. */
  readonly exit: Promise<number>
  close(): void
}

export interface PodConnection {
  readonly incoming: AsyncIterable<Uint8Array>
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** Settles when it has ended; rejects with what the other side said went wrong (nobody listens …). */
  readonly closed: Promise<void>
  close(): void
}

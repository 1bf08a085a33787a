/** What a control plane is made of, as whoever uses it as a library says it. */
import { type Clock, Fault } from '@gantry/core'
import type { EdgeLink } from '@gantry/edge'
import type { Store } from '@gantry/store'
import type { HttpLimits } from './app/limits.ts'
import type { Log } from './app/log.ts'
import type { Authenticate } from './auth/authenticate.ts'
import type { EdgeMode } from './edge/run-edge.ts'
import type { EngineFactories } from './providers/engine-factories.ts'
import type { Rates } from './rate-limit/admission.ts'
import type { KeySource } from './vault/key-source.ts'
import { memoryKeys } from './vault/memory-keys.ts'

export type ControlPlaneOptions = {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. */
  readonly database: string
  /** The engines that workloads can run on, by the type that a Provider names. */
  readonly providers: EngineFactories
  /** `false`: what is asked for is only kept; another process on the same database makes it true. */
  readonly controllers?: false
  /** Where requests to workloads go through. process: outlives this one, and needs `data`; embedded: ends with it. */
  readonly edge: EdgeMode | false
  /** Left out: 127.0.0.1:7480. */
  readonly edgeListen?: { readonly host: string; readonly port: number }
  /** The type of a Provider that a fresh installation begins with, under the same name, as the default one. */
  readonly firstProvider?: string
  /** Where logs and samples of usage are kept. Left out: a folder of its own, which goes when it stops. */
  readonly data?: string
  /** Where the master keys of the vault are. May be left out for a database in memory, whose values nobody can need again. */
  readonly keys?: KeySource
  /** Asked first; tokens are asked about what it leaves alone. */
  readonly authenticate?: Authenticate
  /** Asked once, when nobody has a token of the installation yet: the text of the first, kept by whoever made it. */
  readonly claim?: () => Promise<string>
  readonly logger?: Log
  readonly clock?: Clock
  readonly limits?: Partial<HttpLimits>
  /** Requests a second; left out: those of one busy installation. `false`: none, behind something that has its own. */
  readonly rates?: Rates | false
  /** Figures of the whole process among the metrics: for a server, which is all of its process. */
  readonly processMetrics?: boolean
  /** Wraps the store, to measure it or to break it. */
  readonly wrapStore?: (store: Store) => Store
  /** Wraps each connection to the edge, likewise. */
  readonly wrapEdge?: (link: EdgeLink) => EdgeLink
}

/** No key is made up for values that are kept: it would be lost, and they with it. */
export function keysOf({ keys, database }: Pick<ControlPlaneOptions, 'keys' | 'database'>): KeySource {
  if (keys) return keys
  if (database === 'sqlite::memory:') return memoryKeys()
  throw new Fault(
    'master_key_unusable',
    "The vault needs a master key. Give one, for example keys: keySource({ type: 'file', path })",
  )
}

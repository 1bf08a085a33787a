/** Where the way into a cluster comes from: a Secret that its maker writes, for example. */
import type { Result } from '../../results/result.ts'
import type { ClusterConfig } from '../cluster-scope.ts'
import type { Pass } from '../provisioner.ts'

export interface ClusterSource {
  readonly id: string
  /**
   * `undefined`: looked, and there is none, because the cluster is not made yet, or is gone. Being unable to look throws:
   * a cluster that cannot be seen is not a cluster that is gone.
   */
  config(pass: Pass): Promise<ClusterConfig | undefined>
}

/** Makes a cluster known to the tool that installs applications. */
export interface ClusterDriver {
  /** Done: it can be installed on. Yields while the cluster does not answer. Writes again when the config has changed. */
  register(id: string, config: ClusterConfig, pass: Pass): Promise<Result>
  /** Resolves when the tool has forgotten it. Absent is success. */
  unregister(id: string, pass: Pass): Promise<void>
}

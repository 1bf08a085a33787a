/** A cluster that steps act on instead of the place where we are ourselves. */

/** What a client needs to reach a cluster; only drivers look inside. */
export type ClusterConfig = { readonly server: string; readonly kubeconfig: string }

export type ClusterScope = {
  readonly id: string
  /** Undefined: the cluster is gone, and with it everything that was on it. Only seen by `deprovision`. */
  readonly config: ClusterConfig | undefined
  /** The whole cluster is about to vanish: a removal that was accepted is enough for what owns nothing outside of it. */
  readonly background: boolean
}

/** One cluster and how we sign in to it: what every way to say it comes to. */

/** A text, or the file that has it; one in a file may be another one tomorrow. */
export type Material = { readonly text: string } | { readonly file: string }

export type ClusterConfig = {
  /** `https://10.0.0.1:6443`, with a path where the server is behind one. */
  readonly server: string
  /** In PEM; left out: the authorities that this machine trusts. */
  readonly ca?: Material
  /** Believes any certificate: anybody on the way can be the cluster. */
  readonly insecure?: boolean
  /** The name that the server's certificate has, where it is not that of the address. */
  readonly tlsServerName?: string
  /** The namespace that the configuration names, if it does. */
  readonly namespace?: string
  readonly user: ClusterUser
  /** For people: `context admin of ~/.kube/config`. */
  readonly origin: string
}

export type ClusterUser = {
  /** As the configuration calls it. */
  readonly name: string
  readonly certificate?: { readonly cert: Material; readonly key: Material }
  readonly token?: Material
  readonly basic?: { readonly username: string; readonly password: string }
  readonly exec?: ExecPlugin
  readonly impersonate?: Impersonation
}

/** A program that says who we are: run as it is, never by a shell. */
export type ExecPlugin = {
  readonly apiVersion: ExecVersion
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Whether it is told which cluster it is for. */
  readonly provideClusterInfo: boolean
  /** What the cluster's own entry has for it. */
  readonly clusterExtension?: unknown
  /** What to do where the program is not there, in words of who wrote the configuration. */
  readonly installHint?: string
}

export const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const
export type ExecVersion = (typeof execVersions)[number]

export type Impersonation = {
  readonly user?: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** What a server says of itself. */
export type ServerVersion = {
  readonly gitVersion: string
  readonly major: string
  readonly minor: string
  readonly platform?: string
}

/** All kinds in one answer, by group, the preferred version first. */
export type AggregatedDiscovery = {
  readonly kind: 'APIGroupDiscoveryList'
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly {
      readonly version: string
      readonly freshness?: 'Current' | 'Stale'
      readonly resources?: readonly {
        readonly resource: string
        readonly responseKind?: { readonly kind?: string }
        readonly scope: 'Namespaced' | 'Cluster'
        readonly verbs: readonly string[]
      }[]
    }[]
  }[]
}

/** The versions of the core group. */
export type VersionList = { readonly kind: 'APIVersions'; readonly versions: readonly string[] }

export type GroupList = {
  readonly kind: 'APIGroupList'
  readonly groups: readonly {
    readonly name: string
    readonly versions: readonly { readonly version: string }[]
    readonly preferredVersion?: { readonly version: string }
  }[]
}

export type ResourceList = {
  readonly kind: 'APIResourceList'
  readonly resources: readonly {
    /** With a slash it is a subresource. */
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}

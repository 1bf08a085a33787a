/**
 * What a workload is made of where it is not described by its services: objects that somebody else wrote. With a source,
 * `Desired.services` is empty and `Desired.replicas` is 1; what is seen of it is one replica, whose services are the objects.
 */
import type { Secret } from '@gantry/core'

export type DesiredSource = ManifestsSource | HelmSource

export type ManifestsSource = {
  readonly type: 'manifests'
  /** YAML, any number of documents, Lists among them. */
  readonly text: string
}

export type HelmSource = {
  readonly type: 'helm'
  readonly chart: HelmChart
  /** The name of the release in Helm; left out: the workload's. */
  readonly releaseName?: string
  /** YAML texts, in order: later ones win. */
  readonly valuesFiles: readonly string[]
  /** Over the files. */
  readonly values: Readonly<Record<string, unknown>>
  /** Over everything, as `--set`: `image.tag` → `1.2`. */
  readonly set: Readonly<Record<string, string>>
  /** Resources must be ready before it counts as there. */
  readonly wait: boolean
  /** A failed install or upgrade is taken back by Helm itself. */
  readonly atomic: boolean
  readonly timeoutSeconds: number
  readonly hooks: boolean
  readonly crds: boolean
}

export type HelmChart =
  /** A packed chart (.tgz), as the CLI sends a folder or a file. */
  | { readonly from: 'archive'; readonly content: Uint8Array }
  /** From a repository over http(s), or `oci://…`. */
  | {
      readonly from: 'repository'
      readonly url: string
      readonly name: string
      readonly version?: string
      readonly username?: Secret
      readonly password?: Secret
    }
  /** A folder or archive of the server's machine, where the Provider allows that folder. */
  | { readonly from: 'path'; readonly path: string }

/** What an owner adds to an application from the catalogue. Typed, so that a misspelt one does not compile. */
import type { Json } from '@gantry/core'
import type { Pass } from '../provisioner.ts'
import type { ApplicationVersion } from './catalogue.ts'

export type NamespaceMetadata = {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** A field that others write and that therefore is no difference. */
export type IgnoredDifference = { readonly group?: string; readonly kind: string; readonly pointers: readonly string[] }

type Generate<T> = (version: ApplicationVersion, pass: Pass) => T | Promise<T>

export type Generators = {
  /** Wins over the release of the catalogue; empty: the catalogue's. */
  readonly releaseName?: Generate<string>
  /** Win over the catalogue's parameters of the same name. */
  readonly parameters?: Generate<Readonly<Record<string, string>>>
  /** Merged over the catalogue's values; null takes a value away. */
  readonly values?: Generate<{ readonly [key: string]: Json }>
  readonly namespaceMetadata?: Generate<NamespaceMetadata>
  readonly ignoredDifferences?: Generate<readonly IgnoredDifference[]>
  /** Once for each generation that has converged. Again only after a crash in the middle, so it has to be idempotent. */
  readonly afterProvision?: (pass: Pass) => Promise<void>
  /** Before the removal is asked for. Again only after a crash in the middle. */
  readonly beforeDeprovision?: (pass: Pass) => Promise<void>
}

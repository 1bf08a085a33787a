/** Which versions of an application can be had, and from where. */
import { Fault, type Json } from '@gantry/core'

export type Parameter = { readonly name: string; readonly value: string }

export type ApplicationVersion = {
  readonly version: string
  readonly repo: string
  /** A chart of the repo, or a path and branch of a Git repository. */
  readonly source: { readonly chart: string } | { readonly path: string; readonly branch?: string }
  readonly release?: string
  readonly parameters?: readonly Parameter[]
  readonly values?: { readonly [key: string]: Json }
  readonly namespace?: string
  readonly createNamespace?: boolean
  readonly serverSideApply?: boolean
}

export type CatalogueEntry = { readonly name: string; readonly versions: readonly ApplicationVersion[] }

/** `v1.2.3` and `1.2.3+build` are the version 1.2.3. What is not a semantic version is compared as it is written. */
export function findVersion({ name, versions }: CatalogueEntry, wanted: string): ApplicationVersion {
  const found = versions.find(({ version }) => precedenceOf(version) === precedenceOf(wanted))
  if (found) return found
  const there = versions.map(({ version }) => version).join(', ') || 'none'
  throw new Fault('version_not_found', `${name} has no version ${wanted}; there is ${there}`)
}

const semantic = /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?$/

function precedenceOf(version: string): string {
  return semantic.exec(version)?.[1] ?? version
}

/** Pure: what the driver is asked for, from the catalogue, the owner's generators and where it goes. */
import { type Json, mergePatch } from '@gantry/core'
import type { Pass } from '../provisioner.ts'
import type { ApplicationVersion, Parameter } from './catalogue.ts'
import type { Generators, IgnoredDifference, NamespaceMetadata } from './generators.ts'

export type ApplicationSpec = {
  readonly repo: string
  readonly source: ApplicationVersion['source']
  readonly version: string
  readonly release?: string
  readonly parameters: readonly Parameter[]
  readonly values: { readonly [key: string]: Json }
  readonly namespace: string
  readonly createNamespace: boolean
  readonly serverSideApply: boolean
  readonly namespaceMetadata?: NamespaceMetadata
  readonly ignoredDifferences: readonly IgnoredDifference[]
  /** The id of the cluster it runs on; undefined: ours. */
  readonly cluster?: string
}

export type SpecOptions = { readonly namespace?: string; readonly generators?: Generators }

/** The same answer for the same input, so that an application which has not changed is not written again. */
export async function applicationSpec(
  version: ApplicationVersion,
  { namespace, generators = {} }: SpecOptions,
  pass: Pass,
): Promise<ApplicationSpec> {
  const release = (await generators.releaseName?.(version, pass)) || version.release
  const metadata = await generators.namespaceMetadata?.(version, pass)
  const values = mergePatch(version.values ?? {}, (await generators.values?.(version, pass)) ?? {})
  return {
    repo: version.repo,
    source: version.source,
    version: version.version,
    ...(release ? { release } : {}),
    parameters: mergeParameters(version.parameters ?? [], (await generators.parameters?.(version, pass)) ?? {}),
    values: values as ApplicationSpec['values'],
    namespace: namespace ?? version.namespace ?? 'default',
    createNamespace: version.createNamespace ?? false,
    serverSideApply: version.serverSideApply ?? false,
    ...(metadata ? { namespaceMetadata: metadata } : {}),
    ignoredDifferences: (await generators.ignoredDifferences?.(version, pass)) ?? [],
    ...(pass.cluster ? { cluster: pass.cluster.id } : {}),
  }
}

/** By name, each once: what the owner generates wins over the catalogue. */
function mergeParameters(
  fixed: readonly Parameter[],
  generated: Readonly<Record<string, string>>,
): readonly Parameter[] {
  const merged = new Map(fixed.map(({ name, value }) => [name, value]))
  for (const [name, value] of Object.entries(generated)) merged.set(name, value)
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => ({ name, value }))
}

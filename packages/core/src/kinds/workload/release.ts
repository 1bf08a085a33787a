/** What a release is, and when there is a new one: if and only if this hash changes. */
import { hashOf } from '../../hash.ts'
import type { ServiceSpec } from './service.ts'
import type { SourceSpec } from './source/fields.ts'

/** Self-contained: with this and the vault, what ran then can be run again. */
export type ReleaseContent = {
  readonly services: readonly ServiceSpec[]
  /** Instead of services. */
  readonly source?: SourceSpec | undefined
  /** The version of each Secret that a service refers to, by name. */
  readonly secretVersions: Readonly<Record<string, number>>
}

/**
 * Replicas, run, strategy and all else of a workload are outside. The order of things that have none (services, volumes,
 * files, secrets, dependencies) does not count. A field added to ServiceSpec later must be left out when it is not asked
 * for, or an upgrade would make a new release of everything.
 */
export function releaseHash({ services, source, secretVersions }: ReleaseContent): string {
  const used = new Set(services.flatMap(({ secrets }) => secrets.map(({ name }) => name)))
  const versions = Object.entries(secretVersions).filter(([name]) => used.has(name))
  return hashOf({
    services: inOrder(services, ({ name }) => name).map((service) => ({
      ...service,
      volumes: inOrder(service.volumes, ({ path }) => path),
      configFiles: inOrder(service.configFiles, ({ path }) => path),
      secrets: inOrder(service.secrets, ({ env, file }) => `${env ?? ''} ${file ?? ''}`),
      dependsOn: inOrder(service.dependsOn, ({ service: name }) => name),
    })),
    ...(source && { source }),
    secretVersions: Object.fromEntries(versions),
  })
}

function inOrder<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items.toSorted((left, right) => (key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0))
}

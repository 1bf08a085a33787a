/** What a workload's spec comes to as a release: its services or source, secrets by version, and the hash of it all. */
import { type Call, Fault, type ObjectKey, type ObjectOf, type ServiceSpec, type SourceSpec } from '@gantry/core'
import { credentialsName, stampedHash } from '@gantry/providers'
import type { ControllerDeps } from '../deps.ts'

export type Content = {
  readonly services: readonly ServiceSpec[]
  readonly source?: SourceSpec
  readonly secretVersions: Readonly<Record<string, number>>
  readonly stamp?: string
  readonly hash: string
}

type Workload = ObjectOf<'Workload'>

/** Names of Secrets that the services or the source refer to, each once. */
export function secretNames({ services, source }: Pick<Workload['spec'], 'services' | 'source'>): string[] {
  const ofServices = services.flatMap(({ secrets, imagePullSecret }) => [
    ...secrets.map(({ name }) => name),
    ...(imagePullSecret === undefined ? [] : [imagePullSecret]),
  ])
  const ofSource = credentialsName(source)
  return [...new Set([...ofServices, ...(ofSource === undefined ? [] : [ofSource])])]
}

export function secretKeys({ metadata: { tenant = '' }, spec }: Workload): ObjectKey[] {
  return secretNames(spec).map((name) => ({ kind: 'Secret', tenant, name }))
}

/** `secret_not_found` if a service refers to what is not there. */
export async function contentOf(
  { store, scope }: Pick<ControllerDeps, 'store' | 'scope'>,
  { metadata: { tenant = '' }, spec }: Workload,
  call: Call,
): Promise<Content> {
  const secretVersions: Record<string, number> = {}
  for (const name of secretNames(spec)) {
    secretVersions[name] = spec.secretVersions?.[name] ?? (await newestVersion(name))
  }
  const { services, source, deployStamp } = spec
  const content = { services, ...(source && { source }), secretVersions }
  const hash = stampedHash(content, deployStamp)
  return { ...content, hash, ...(deployStamp === undefined ? {} : { stamp: deployStamp }) }

  async function newestVersion(name: string): Promise<number> {
    const found = await store.read(scope, { kind: 'Secret', tenant, name }, call)
    const version = (found as ObjectOf<'Secret'> | undefined)?.status.version
    if (version !== undefined) return version
    const message = found ? 'has no data yet' : 'does not exist'
    throw new Fault('secret_not_found', `The secret "${name}" ${message}; write it with \`gantry secret\``)
  }
}

/** Which addresses a name of the cluster stands for: pure. */
import { clusterDomain } from '../addresses.ts'
import type { Named } from '../follow.ts'

export type Service = Named & {
  readonly spec: { readonly clusterIP?: string; readonly publishNotReadyAddresses?: boolean }
}

export type Slice = {
  readonly metadata: Named['metadata'] & { readonly labels?: Readonly<Record<string, string>> }
  readonly endpoints?:
    | readonly {
        readonly addresses: readonly string[]
        readonly hostname?: string
        readonly conditions?: { readonly ready?: boolean }
      }[]
    | null
}

export type Known = { readonly services: Iterable<Service>; readonly slices: Iterable<Slice> }

/**
 * `service.namespace.svc.cluster.local`: the Service's address, or those of its pods if it has none of its own; with one
 * more word in front, the pod of that name. Undefined if there is no such name.
 */
export function lookUp(name: string, { services, slices }: Known): readonly string[] | undefined {
  const ending = `.svc.${clusterDomain}`
  if (!name.endsWith(ending)) return undefined
  const words = name.slice(0, -ending.length).split('.')
  const [namespace, serviceName, host] = words.reverse()
  if (serviceName === undefined || words.length > 3) return undefined
  const isOf = (object: Named): boolean => object.metadata.namespace === namespace
  const service = [...services].find((one) => isOf(one) && one.metadata.name === serviceName)
  if (!service) return undefined
  const { clusterIP, publishNotReadyAddresses } = service.spec
  if (host === undefined && clusterIP !== undefined && clusterIP !== 'None') return [clusterIP]
  const own = [...slices].filter(
    (one) => isOf(one) && one.metadata.labels?.['kubernetes.io/service-name'] === serviceName,
  )
  const endpoints = own
    .flatMap((one) => one.endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false || publishNotReadyAddresses === true)
    .filter(({ hostname }) => host === undefined || hostname === host)
  if (endpoints.length === 0) return host === undefined ? [] : undefined
  return endpoints.flatMap(({ addresses }) => addresses)
}

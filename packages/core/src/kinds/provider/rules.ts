/** What must hold between the fields of a provider. */
import type { Finding } from '../../validation/issues.ts'
import { kubernetesRules } from './kubernetes-rules.ts'
import { everyTenant, type ProviderSpec } from './spec.ts'

export function tenantsOnce({ tenants }: ProviderSpec): Finding[] {
  return tenants.flatMap((tenant, at) =>
    tenants.indexOf(tenant) === at ? [] : [{ path: ['tenants', at], message: `is there twice: ${tenant}` }],
  )
}

/** A name beside the star would look as if it were a limit. */
export function everybodyAlone({ tenants }: ProviderSpec): Finding[] {
  const at = tenants.indexOf(everyTenant)
  if (at === -1 || tenants.every((tenant) => tenant === everyTenant)) return []
  return [{ path: ['tenants', at], message: 'means every tenant, so no other may stand beside it' }]
}

export function wholePlace({ location: { latitude, longitude } }: ProviderSpec): Finding[] {
  if ((latitude === undefined) === (longitude === undefined)) return []
  const missing = latitude === undefined ? 'latitude' : 'longitude'
  const there = latitude === undefined ? 'longitude' : 'latitude'
  return [{ path: ['location', missing], message: `is required, because ${there} is given` }]
}

/** Settings of another type would be asked for and reach nobody. */
export function settingsOfItsType(spec: ProviderSpec): Finding[] {
  const others = (['docker', 'kubernetes'] as const).filter((of) => spec[of] !== undefined && of !== spec.type)
  return others.map((of) => ({
    path: [of],
    message: `is for providers of type ${of}, and this one is of type ${spec.type}`,
  }))
}

/** Whoever can speak to a Docker Engine owns its machine, so nobody on the way may. */
export function safeWay({ docker }: ProviderSpec): Finding[] {
  if (!docker) return []
  const { endpoint, tls } = docker
  const path = ['docker', 'tls']
  if (endpoint.startsWith('unix:')) {
    return tls ? [{ path, message: 'is for tcp; a socket of this machine has none' }] : []
  }
  if (tls || isLoopback(endpoint)) return []
  return [{ path, message: 'is required: without it, anybody on the way to that machine can take it over' }]
}

export function realPort({ docker }: ProviderSpec): Finding[] {
  const port = /^tcp:.*:([0-9]+)$/.exec(docker?.endpoint ?? '')?.[1]
  if (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)) return []
  return [{ path: ['docker', 'endpoint'], message: 'must have a port from 1 to 65535' }]
}

/** Bits behind the length would mean a host, and whoever wrote them meant something else. */
export function wholeRange({ docker }: ProviderSpec): Finding[] {
  if (docker?.subnets === undefined) return []
  const [address = '', length = ''] = docker.subnets.split('/')
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const start = number - (number % 2 ** (32 - Number(length)))
  if (start === number) return []
  const text = [24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join('.')
  return [{ path: ['docker', 'subnets'], message: `must begin where its range begins: ${text}/${length}` }]
}

/** By address, or by the one name that always means it. */
function isLoopback(endpoint: string): boolean {
  return /^tcp:\/\/(?:localhost|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[::1\])(?::[0-9]+)?$/.test(endpoint)
}

export const providerRules = [
  tenantsOnce,
  everybodyAlone,
  wholePlace,
  settingsOfItsType,
  safeWay,
  realPort,
  wholeRange,
  ...kubernetesRules,
] as const

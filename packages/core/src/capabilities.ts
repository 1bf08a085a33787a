/**
 * What a provider can do. Those in `methodCapabilities` follow from a method that is there; the others have no method
 * of their own and are declared, each held by a case of the provider contract.
 */
import type { StrategyType } from './kinds/workload/strategy.ts'

export const methodCapabilities = ['provision', 'deploy', 'scale', 'logs', 'exec'] as const

export const declaredCapabilities = [
  'volumes',
  'gpu',
  'strategy:rolling',
  'strategy:blue-green',
  'strategy:canary',
  'autoscale',
  'custom-domains',
  'tls',
  'source:manifests',
  'source:helm',
  'source:argo',
  'exec:kill',
  'logs:streams',
] as const

export const capabilities = [...methodCapabilities, ...declaredCapabilities] as const

export type MethodCapability = (typeof methodCapabilities)[number]
export type DeclaredCapability = (typeof declaredCapabilities)[number]
export type Capability = MethodCapability | DeclaredCapability

/** What a strategy asks of the provider; recreate asks for nothing that is not there anyway. */
export const strategyCapability = {
  rolling: 'strategy:rolling',
  recreate: undefined,
  blue_green: 'strategy:blue-green',
  canary: 'strategy:canary',
} as const satisfies Record<StrategyType, Capability | undefined>

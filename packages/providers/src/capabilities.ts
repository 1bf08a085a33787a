/** What a provider can do, read off what it is: a method that is there, or a word of its engine that a contract case holds. */
import { type Capability, type StrategyType, strategyCapability } from '@gantry/core'
import type { Provider } from './provider.ts'

const methodOf = {
  provision: 'provision',
  deploy: 'deploy',
  scale: 'scale',
  logs: 'logs',
  exec: 'exec',
} as const satisfies Partial<Record<Capability, keyof Provider>>

export function capabilitiesOf(provider: Provider): ReadonlySet<Capability> {
  const found = new Set<Capability>(provider.declares)
  for (const [capability, method] of Object.entries(methodOf)) {
    if (typeof provider[method] === 'function') found.add(capability as keyof typeof methodOf)
  }
  return found
}

export function hasCapability(provider: Provider, capability: Capability): boolean {
  return capabilitiesOf(provider).has(capability)
}

/** What comes closest to a capability that is not there. */
export function nearestWay(capability: Capability, offered: ReadonlySet<Capability>): string {
  if (capability.startsWith('strategy:')) {
    const strategies = Object.entries(strategyCapability) as [StrategyType, Capability | undefined][]
    const there = strategies.flatMap(([type, needs]) => (needs === undefined || offered.has(needs) ? [type] : []))
    return `strategies it has: ${there.join(', ')}`
  }
  return nearest[capability as keyof typeof nearest] ?? 'choose a provider that does'
}

const nearest = {
  volumes: 'use a volume of type ephemeral, or a provider with volumes',
  gpu: 'leave resources.gpu out, or use a provider with graphics processors',
  autoscale: 'set replicas with scale',
  'custom-domains': 'the edge answers under the workload’s own name',
  tls: 'end TLS in front of the edge',
  'source:manifests': 'describe the workload by its services',
  'source:helm': 'describe the workload by its services',
  'source:argo': 'describe the workload by its services',
  'exec:kill': 'end the command from inside, or restart the instance',
  'logs:streams': 'all lines are shown as stdout; mark those that matter in their text',
  logs: 'read them where the engine keeps them',
  exec: 'run the command as a service of its own',
} as const satisfies Partial<Record<Capability, string>>

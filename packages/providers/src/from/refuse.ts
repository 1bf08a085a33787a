/** What cannot be honoured is refused, with every path at once, before anything is touched. */
import { type Capability, Fault, type Issue, type StrategySpec, strategyCapability } from '@gantry/core'
import { nearestWay } from '../capabilities.ts'
import type { Desired } from '../desired.ts'
import type { Engine } from '../engine.ts'

export function refuseUnsupported(
  engine: Engine,
  offered: ReadonlySet<Capability>,
  desired: Desired,
  strategy: StrategySpec,
): void {
  const missing = missingCapabilities(offered, desired, strategy)
  // What is made of something that an engine does not know, it cannot judge any further.
  const unsupported = desired.source && !offered.has(`source:${desired.source.type}`) ? [] : engine.check(desired)
  const named = new Set(missing.map(({ path }) => path))
  const issues = [...missing, ...unsupported.filter(({ path }) => !named.has(path))]
  if (issues.length === 0) return
  const list = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const reason = unsupported.length === 0 ? 'capability_missing' : 'field_unsupported'
  throw new Fault(reason, `${engine.type} cannot run this: ${list}`, { issues })
}

function missingCapabilities(offered: ReadonlySet<Capability>, desired: Desired, strategy: StrategySpec): Issue[] {
  const issues: Issue[] = []
  const need = (capability: Capability, path: string): void => {
    if (offered.has(capability)) return
    issues.push({ path, message: `needs ${capability}, which is not offered; ${nearestWay(capability, offered)}` })
  }
  const asked = strategyCapability[strategy.type]
  if (asked) need(asked, 'spec.strategy.type')
  if (desired.source) need(`source:${desired.source.type}`, `spec.source.${desired.source.type}`)
  desired.services.forEach(({ volumes, resources }, at) => {
    volumes.forEach(({ type }, volume) => {
      if (type === 'persistent') need('volumes', `spec.services[${at}].volumes[${volume}].type`)
    })
    if (resources.gpu.count > 0) need('gpu', `spec.services[${at}].resources.gpu`)
  })
  return issues
}

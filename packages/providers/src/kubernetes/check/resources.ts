/** Pure: what a service may use, where that cannot be held to or is not there. */
import type { Issue } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'
import { gpuResource } from '../plan/resources.ts'
import type { PlanSettings } from '../plan/settings.ts'

export function resourceIssues({ resources }: DesiredService, { gpuResources }: PlanSettings, path: string): Issue[] {
  const issues: Issue[] = []
  if (resources.pids !== undefined && !resources.bestEffort) {
    const message = 'Kubernetes counts processes for whole nodes only; leave it out, or set bestEffort'
    issues.push({ path: `${path}.resources.pids`, message })
  }
  const { gpu } = resources
  if (gpu.count === 0) return issues
  const name = gpuResource(gpu)
  if (name === undefined) {
    const message = 'must be a resource of nodes with its domain, such as nvidia.com/gpu; leave it out for that one'
    issues.push({ path: `${path}.resources.gpu.type`, message })
  } else if (!gpuResources.includes(name)) {
    const those = gpuResources.length === 0 ? 'none' : gpuResources.join(', ')
    const message = `no node offers ${name} (offered: ${those}); install the device plugin of their maker, or leave it out`
    issues.push({ path: `${path}.resources.gpu`, message })
  }
  return issues
}

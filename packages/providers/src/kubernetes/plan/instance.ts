/** Pure: from what is desired to all objects of an instance. */
import type { Desired } from '../../desired.ts'
import { instanceName, namespaceName } from '../names.ts'
import { plannedClaims } from './claims.ts'
import { contentObject } from './content-objects.ts'
import { contentParts } from './contents.ts'
import { disruptionBudget } from './disruption-budget.ts'
import { objectLabels } from './labels.ts'
import type { InstancePlan } from './planned.ts'
import { podTemplate } from './pod-template.ts'
import { pullSecrets } from './pull-secrets.ts'
import { governingService, instanceService } from './service.ts'
import type { PlanSettings } from './settings.ts'
import { inputsFor, type TemplateInputs } from './template-inputs.ts'
import { isStatefulSet, plannedWorkload } from './workload.ts'

/**
 * `kept`: what the Deployment or StatefulSet that is there was made with, where there is one (`readTemplateInputs`). Desired
 * must have passed `checkDesired`.
 */
export function planInstance(desired: Desired, settings: PlanSettings, kept?: TemplateInputs): InstancePlan {
  const namespace = namespaceName(settings.namespaces, desired.ref.tenant)
  const name = instanceName(desired.installation, desired.ref)
  const placed = { namespace, name, labels: objectLabels(desired, settings) }
  const inputs = inputsFor(desired, settings, kept)
  const parts = contentParts(desired, name)
  const template = podTemplate(desired, name, inputs, parts)
  return {
    namespace,
    name,
    config: [...parts.map((part) => contentObject(part, namespace, placed.labels)), ...pullSecrets(desired, placed)],
    claims: plannedClaims(desired, settings, placed),
    workload: plannedWorkload(desired, { ...placed, inputs, template }),
    others: [
      ...(isStatefulSet(desired) ? [governingService(desired, placed)] : []),
      ...instanceService(desired, placed),
      ...disruptionBudget(desired, placed),
    ],
  }
}

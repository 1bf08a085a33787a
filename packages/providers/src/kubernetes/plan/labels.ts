/** Pure: the marks on objects, and what pods are found by. */
import type { Desired } from '../../desired.ts'
import { label, labelsOf } from '../../labels.ts'
import type { PlanSettings } from './settings.ts'
import { type TemplateInputs, userLabels } from './template-inputs.ts'

export type Labels = Readonly<Record<string, string>>

/** On every object of the instance but its pods. Annotations of services stay annotations here. */
export const objectLabels = (desired: Desired, settings: Pick<PlanSettings, 'labels'>): Labels =>
  labelsOf({ ...desired, labels: userLabels(desired, settings) })

export const templateLabels = (desired: Desired, { labels, release, specHash }: TemplateInputs): Labels =>
  labelsOf({ ...desired, labels, release, specHash })

/** Never changes for an instance, and fits no pod of another. */
export const selectorOf = ({ installation, ref }: Pick<Desired, 'installation' | 'ref'>): Labels => ({
  [label.installation]: installation,
  [label.uid]: ref.uid,
  [label.slot]: ref.slot,
})

/** Wishes that Kubernetes alone understands, in its own words, so that they can be copied from where they stand already. */
import { z } from 'zod'
import { labelKeyPattern, labelKeyRule, labelValuePattern, labelValueRule } from '../../names.ts'
import { labelsField } from '../fields.ts'

const objectNameField = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
    'must be the name of an object of the cluster: lower case letters, digits, inner dashes and dots',
  )

const tolerationSpec = z.strictObject({
  key: z.string().regex(labelKeyPattern, labelKeyRule).optional().describe('Of the taint; left out with Exists: all'),
  operator: z.enum(['Equal', 'Exists']).default('Equal').describe('Exists: whatever its value is'),
  value: z.string().regex(labelValuePattern, labelValueRule).optional().describe('Of the taint, with Equal'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .optional()
    .describe('Which effect of the taint is tolerated; left out: all'),
  tolerationSeconds: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe('With NoExecute: for how long; left out: for ever'),
})

export const kubernetesWishes = z.strictObject({
  serviceAccount: objectNameField
    .optional()
    .describe('Who its pods are to the cluster; left out: nobody, and no token is given to them'),
  nodeSelector: labelsField.optional().describe('Labels that a node must have'),
  tolerations: z.array(tolerationSpec).max(100).optional().describe('Taints of nodes that do not keep it away'),
  storageClass: objectNameField.optional().describe('For its persistent volumes; left out: the default one'),
})

export type KubernetesWishes = z.output<typeof kubernetesWishes>

export const engineFields = z.strictObject({
  kubernetes: kubernetesWishes.optional().describe('Refused by every other engine'),
})

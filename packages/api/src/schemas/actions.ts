/** What can be asked of a workload beside its spec. Every action is a patch of the spec; these say which. */
import {
  argument,
  healthCheckSpec,
  nameField,
  quantityField,
  serviceFields,
  strategyFields,
  titleField,
} from '@gantry/core'
import { z } from 'zod'

const argv = z.array(argument).max(1024)

/** As a deploy may change it: `KEY-` (with any value) takes KEY away. */
const environmentChange = z.record(
  z.string().regex(/^[A-Za-z_][-.A-Za-z0-9_]{0,255}$/, 'must be the name of a variable, with - to remove it'),
  z.union([z.string().max(131_072), z.number(), z.boolean()]).transform(String),
)

export const serviceChange = z.strictObject({
  name: nameField.describe('A service of the workload'),
  image: serviceFields.shape.image.describe('What it runs from now on'),
  command: argv.optional().describe('In place of the command that it has'),
  args: argv.optional().describe('In place of the arguments that it has'),
  env: environmentChange.optional().describe('Merged into its environment; KEY- takes KEY away'),
  healthCheck: healthCheckSpec.nullable().optional().describe('In place of the one that it has; null takes it away'),
})

const message = titleField
  .optional()
  .describe('Why: shown with the release and the rollout that come of it; left out: what changed')

export const deployBody = z.strictObject({
  services: z
    .array(serviceChange)
    .max(50)
    .optional()
    .describe('Those that change; the others stay as the spec has them. None: the same again, in new processes'),
  strategy: strategyFields.optional().describe('How it takes over, from now on'),
  message,
})

export const rollbackBody = z.strictObject({
  to: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('The number of a release that is kept; left out: the one before'),
  message,
})

export const scaleBody = z.strictObject({
  replicas: z.int().min(0).max(10_000).optional().describe('How many; changes in place'),
  service: nameField.optional().describe('Which service the rest is about; left out: the main one'),
  cpu: quantityField.optional().describe('Cores it may use; makes a release'),
  memory: quantityField.optional().describe('Bytes it may use; makes a release'),
  disk: quantityField.optional().describe('Bytes it may write; makes a release'),
  gpu: z.int().min(0).max(1024).optional().describe('How many; makes a release'),
})

export type DeployBody = z.input<typeof deployBody>
export type RollbackBody = z.input<typeof rollbackBody>
export type ScaleBody = z.input<typeof scaleBody>

export const abortBody = z.strictObject({
  why: z.string().max(500).optional().describe('Kept on the rollout'),
})

export type AbortBody = z.input<typeof abortBody>

import { z } from 'zod'
import { absolutePathField, nameField, placeField, quantityField } from '../fields.ts'

export const volumeTypes = ['persistent', 'ephemeral', 'memory', 'host'] as const
export type VolumeType = (typeof volumeTypes)[number]

export const volumeFields = z.strictObject({
  name: nameField.describe('Services of one replica that name the same volume share it'),
  path: placeField.describe('Where the service sees it; on local this lies below the folder that GANTRY_ROOT names'),
  size: quantityField.optional().describe('Bytes, e.g. 1Gi; left out: what the engine gives'),
  type: z
    .enum(volumeTypes)
    .optional()
    .describe('Left out: persistent, one per replica, in a stateful_set; ephemeral in a deployment'),
  source: absolutePathField.optional().describe('type host: the folder of the machine'),
  retain: z
    .boolean()
    .default(true)
    .describe('Whether a persistent volume outlives the workload; the next one of that name finds it'),
})

/** As providers get it: the type is decided. */
export type VolumeSpec = Omit<z.output<typeof volumeFields>, 'type'> & { type: VolumeType }

/** A slot of a workload on a provider: what an engine is asked for, but for what is in the release. */
import { z } from 'zod'
import { labelsField, nameField, secondsField } from '../fields.ts'
import { releaseNumberField } from '../release/release.ts'
import { engineFields } from '../workload/engine-kubernetes.ts'
import { restartSpec } from '../workload/restart.ts'
import { exposures, workloadTypes } from '../workload/spec.ts'
import { stampField } from '../workload/stamp.ts'
import { slots } from './slot.ts'

const minReadySeconds = secondsField(0, 3600).describe('How long a replica must be ready before it counts')

const inPlaceUpdate = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('rolling').describe('One after the other'),
    maxSurge: z.int().min(0).describe('Replicas above the wanted number'),
    maxUnavailable: z.int().min(0).describe('Replicas below the wanted number'),
    minReadySeconds,
  }),
  z.strictObject({ type: z.literal('recreate').describe('All away, then all anew'), minReadySeconds }),
])

export const instanceFields = z.strictObject({
  workload: nameField.describe('Whose it is'),
  uid: z.string().min(1).max(128).describe('Of the workload: names on the engine derive from it'),
  slot: z.enum(slots).describe('Which of the two'),
  provider: nameField.describe('Where it runs; never changes'),
  release: releaseNumberField.describe('What every replica is to be made of'),
  replicas: z.int().min(0).max(10_000).describe('How many; kept while stopped, so that a start knows'),
  run: z.enum(['running', 'stopped']).describe('stopped keeps everything but the processes'),
  restartStamp: stampField.optional().describe('Replicas with another one are replaced'),
  paused: z
    .boolean()
    .default(false)
    .describe('Replicas are left as they are, while a person looks at a paused rollout'),
  type: z.enum(workloadTypes).describe('stateful_set: replicas with an identity and storage of their own'),
  restart: restartSpec.describe('What happens when a service ends'),
  update: inPlaceUpdate.describe('How replicas give way to others within the slot'),
  stopGraceSeconds: secondsField(0, 3600).describe('Between asking a process to end and ending it'),
  expose: z.enum(exposures).describe('Beside the edge, where the engine has it'),
  engine: engineFields.prefault({}).describe('Wishes that one engine alone understands'),
  labels: labelsField.describe('Of the workload; they reach every object on the engine'),
})

export type InstanceInput = z.input<typeof instanceFields>
export type InstanceSpec = z.output<typeof instanceFields>

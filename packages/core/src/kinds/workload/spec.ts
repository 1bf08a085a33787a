/** What a user wants to run. A workload's spec is the only desired state. */
import { z } from 'zod'
import { nameField, secondsField } from '../fields.ts'
import { type WorkloadDependency, workloadDependencySpec } from './depends-on.ts'
import { engineFields } from './engine-kubernetes.ts'
import { type RestartSpec, restartSpec } from './restart.ts'
import { type ServiceSpec, serviceFields } from './service.ts'
import { type SourceSpec, sourceFields } from './source/fields.ts'
import { stampField } from './stamp.ts'
import { type StrategySpec, strategyFields } from './strategy.ts'

export const workloadTypes = ['deployment', 'stateful_set'] as const
export type WorkloadType = (typeof workloadTypes)[number]

export const exposures = ['none', 'node', 'load_balancer'] as const
export type Exposure = (typeof exposures)[number]

export const workloadFields = z.strictObject({
  provider: nameField.optional().describe('A Provider by name; left out: the default one'),
  type: z
    .enum(workloadTypes)
    .default('deployment')
    .describe('stateful_set: replicas with an identity and storage of their own'),
  replicas: z.int().min(0).max(10_000).default(1).describe('How many of the whole group of services'),
  run: z.enum(['running', 'stopped']).default('running').describe('stopped keeps everything but the processes'),
  restartStamp: stampField.optional().describe('Set by the action restart: every replica is replaced when it changes'),
  deployStamp: stampField
    .optional()
    .describe('Set by the action deploy: a release of its own, also where nothing else has changed'),
  secretVersions: z
    .record(nameField, z.int().min(1))
    .optional()
    .describe('Set by the action rollback: versions of Secrets to stay at; left out: the newest of each'),
  services: z
    .array(serviceFields)
    .max(50)
    .default([])
    .describe('What runs in every replica, side by side; one at least, where there is no source'),
  source: sourceFields
    .optional()
    .describe('Instead of services: objects that somebody else wrote, where the engine has that'),
  dependsOn: z.array(workloadDependencySpec).max(50).default([]).describe('Workloads that must be Ready first'),
  restart: restartSpec.prefault({}).describe('What happens when a service ends'),
  strategy: strategyFields.prefault({}).describe('How a new release takes over'),
  stopGraceSeconds: secondsField(0, 3600).default(10).describe('Between asking a process to end and ending it'),
  expose: z.enum(exposures).default('none').describe('Beside the edge, where the engine has it'),
  engine: engineFields.prefault({}).describe('Wishes that one engine alone understands'),
})

/** As a file may have it. */
export type WorkloadInput = z.input<typeof workloadFields>
/** Read, with the defaults that stand by themselves. */
export type WorkloadFields = z.output<typeof workloadFields>

/** With everything decided, also the defaults that follow from other fields. */
export type WorkloadSpec = Omit<WorkloadFields, 'services' | 'source' | 'strategy' | 'dependsOn' | 'restart'> & {
  services: ServiceSpec[]
  source?: SourceSpec | undefined
  strategy: StrategySpec
  dependsOn: WorkloadDependency[]
  restart: RestartSpec
}

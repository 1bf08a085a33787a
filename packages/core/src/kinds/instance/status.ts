/** What was seen of an instance. Times in here are of things that happened, not of looking. */
import { z } from 'zod'
import { instanceStates } from '../../instance-state.ts'
import { commonStatus } from '../envelope.ts'
import { portProtocols } from '../workload/ports.ts'
import { serviceRoles } from '../workload/service.ts'

const time = z.string()

export const servicePhases = [
  'waiting',
  'pulling',
  'starting',
  'running',
  'stopping',
  'completed',
  'stopped',
  'crashed',
] as const

export const serviceStatus = z.strictObject({
  role: z.enum(serviceRoles).describe('main, sidecar or init'),
  phase: z.enum(servicePhases).describe('What it is doing'),
  ready: z.boolean().optional().describe('Left out: could not be told'),
  restarts: z.int().min(0).describe('How often it was started anew'),
  startedAt: time.optional().describe('When what runs now was started'),
  exitCode: z
    .union([z.int(), z.literal('unknown')])
    .optional()
    .describe('Of the last end; unknown if it was missed'),
  message: z.string().optional().describe('What the engine or the health check says'),
  engineId: z.string().optional().describe('The engine’s own id of this container or process'),
})

export const endpointStatus = z.strictObject({
  service: z.string().describe('Whose port'),
  port: z.string().describe('Its name'),
  protocol: z.enum(portProtocols).describe('What is spoken there'),
  stable: z.boolean().describe('Outlives the replica behind it'),
  public: z.boolean().describe('Reachable by others than the control plane and its edge'),
  via: z.enum(['direct', 'tunnel']).describe('How it is reached from the control plane'),
  maxConnectionAgeMs: z
    .number()
    .min(0)
    .optional()
    .describe('How old a connection may be that something new is sent over; left out: as old as it gets'),
  dial: z
    .union([z.strictObject({ host: z.string(), port: z.int() }), z.strictObject({ unix: z.string() })])
    .describe('Where'),
})

export const replicaStatus = z.strictObject({
  engineId: z.string().describe('What logs and exec are asked with; never used again for another replica'),
  index: z.int().min(0).describe('Its identity in a stateful_set; elsewhere only tells them apart'),
  release: z.string().describe('The release that it was made of, as the engine has it'),
  specHash: z.string().describe('Of all that it was made of'),
  ready: z.boolean().optional().describe('Left out: could not be told'),
  terminating: z.boolean().describe('It is on its way out'),
  services: z.record(z.string(), serviceStatus).describe('By name'),
  endpoints: z.array(endpointStatus).describe('Where its ports can be dialled'),
})

export const stallStatus = z.strictObject({
  reason: z.string().describe('One word that a program can tell it by'),
  message: z.string().describe('What is wrong, in a sentence'),
  at: time.describe('Since when'),
  service: z.string().optional().describe('The service that it is about'),
  replica: z.int().min(0).optional().describe('The replica, by index'),
})

export const blindStatus = z.strictObject({
  reason: z.string().describe('One word that a program can tell it by'),
  message: z.string().describe('Why it cannot be looked at'),
  since: time.describe('Since when nothing is known'),
})

export const instanceStatus = z.strictObject({
  ...commonStatus,
  state: z.enum(instanceStates).optional().describe('The worst of its replicas'),
  specHash: z.string().optional().describe('Of what its replicas are to be made of; others are to be replaced'),
  settled: z.boolean().optional().describe('The engine says that all is as asked for, for minReadySeconds'),
  replicas: z.array(replicaStatus).optional().describe('Those that were seen last'),
  readyReplicas: z.int().min(0).optional().describe('How many of them are ready and stay'),
  endpoints: z.array(endpointStatus).optional().describe('The stable ones, of the instance as a whole'),
  stalled: stallStatus.optional().describe('Why it will not get further without a change'),
  blind: blindStatus.optional().describe('Why it cannot be looked at; what else is here is how it was before'),
  drift: z.array(z.string()).optional().describe('Paths of the spec that someone else has changed on the engine'),
  notEnforced: z.array(z.string()).optional().describe('Asked for, but not enforced here'),
  waitingFor: z.string().optional().describe('What it waits for, so that "waiting for …" reads as a sentence'),
})

export type InstanceObjectStatus = z.output<typeof instanceStatus>
export type ReplicaStatus = z.output<typeof replicaStatus>
export type EndpointStatus = z.output<typeof endpointStatus>

/** One container or process inside every replica. Workloads, templates and releases share it. */
import { z } from 'zod'
import { absolutePathField, annotationsField, argument, nameField } from '../fields.ts'
import { configFileSpec } from './config-files.ts'
import { type ServiceDependency, serviceDependencyFields } from './depends-on.ts'
import { environmentField } from './environment.ts'
import { healthCheckSpec } from './health-check.ts'
import { portSpec } from './ports.ts'
import { requestsSpec, resourcesSpec } from './resources.ts'
import { secretRefSpec } from './secret-refs.ts'
import { type VolumeSpec, volumeFields } from './volumes.ts'

export const serviceRoles = ['main', 'sidecar', 'init'] as const
export type ServiceRole = (typeof serviceRoles)[number]

export const imagePullPolicies = ['always', 'if_not_present', 'never'] as const

/** An empty role is main. */
const roleField = z
  .enum([...serviceRoles, ''])
  .default('main')
  .transform((role): ServiceRole => (role === '' ? 'main' : role))

const imageField = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9[][^\s]*$/, 'must be an image reference such as registry/app:1.2')

const userField = z
  .union([
    z
      .string()
      .max(130)
      .regex(/^[A-Za-z0-9_][-.A-Za-z0-9_]*(?::[A-Za-z0-9_][-.A-Za-z0-9_]*)?$/, 'must be a user or user:group'),
    z.int().min(0).max(4_294_967_294),
  ])
  .transform(String)

export const serviceFields = z.strictObject({
  name: nameField.describe('Unique in the workload; siblings find the service under it where the engine has names'),
  role: roleField.describe('main: exactly one; sidecar: starts after main; init: exits 0 before anything else starts'),
  image: imageField.optional().describe('Not on local, where a service is a program of this machine'),
  imagePullPolicy: z.enum(imagePullPolicies).default('if_not_present').describe('When the image is fetched'),
  imagePullSecret: nameField.optional().describe('A Secret with username and password'),
  command: z.array(argument).max(1024).default([]).describe("In place of the image's entrypoint; empty: its own"),
  args: z.array(argument).max(1024).default([]).describe("In place of the image's arguments; empty: its own"),
  workingDir: absolutePathField
    .optional()
    .describe(
      'Where it starts; the CLI resolves one relative to the file. Left out: where the image says; on local, GANTRY_ROOT',
    ),
  user: userField.optional().describe('user or user:group, by name or number'),
  env: environmentField
    .default({})
    .describe(
      'Its environment; numbers and booleans become strings. On local it is also told GANTRY_TENANT, GANTRY_WORKLOAD, GANTRY_SERVICE, GANTRY_REPLICA (its number) and GANTRY_ROOT',
    ),
  ports: z
    .array(portSpec)
    .max(100)
    .default([])
    .describe(
      'What it listens on. The first is told as PORT, each as PORT_<NAME>, and to all services of the replica as GANTRY_PORT_<SERVICE>_<NAME>; on local these are ports of the replica alone',
    ),
  resources: resourcesSpec.prefault({}).describe('Limits'),
  requests: requestsSpec.prefault({}).describe('What is set aside for it; left out: the limits'),
  healthCheck: healthCheckSpec.optional().describe('Startup and readiness: one of http, tcp, grpc and command'),
  volumes: z
    .array(volumeFields)
    .max(100)
    .default([])
    .describe('Folders that it sees; on local below GANTRY_ROOT, and told as GANTRY_VOLUME_<NAME>'),
  configFiles: z.array(configFileSpec).max(100).default([]).describe('Files that it finds; on local below GANTRY_ROOT'),
  secrets: z
    .array(secretRefSpec)
    .max(100)
    .default([])
    .describe('Values from the vault that it is told; files of them lie, on local, below GANTRY_ROOT'),
  dependsOn: z.array(serviceDependencyFields).max(100).default([]).describe('Services that must be there first'),
  annotations: annotationsField.default({}).describe('Passed on to the engine'),
})

export type ServiceFields = z.output<typeof serviceFields>

/** A service with everything decided: what a release keeps and a provider gets. */
export type ServiceSpec = Omit<ServiceFields, 'volumes' | 'dependsOn'> & {
  volumes: VolumeSpec[]
  dependsOn: ServiceDependency[]
}

/** Startup and readiness, never liveness; `onUnhealthy: restart` asks for that. */
import { z } from 'zod'
import { argument, portNameField, secondsField } from '../fields.ts'

const port = portNameField.describe('The name of a port of this service')

const grpcServiceField = z
  .string()
  .regex(/^[-._/A-Za-z0-9]{0,256}$/, 'must be the name of a gRPC service')
  .default('')
  .describe('As in grpc.health.v1; empty: all')

export const healthCheckSpec = z.strictObject({
  http: z
    .strictObject({
      port,
      path: z
        .string()
        .max(2048)
        .regex(/^\/[!-~]*$/, 'must begin with / and have no spaces')
        .default('/')
        .describe('Asked for with GET; 200 to 399 is healthy'),
    })
    .optional()
    .describe('Healthy when a GET is answered with 200 to 399'),
  tcp: z.strictObject({ port }).optional().describe('Healthy when a connection is accepted'),
  grpc: z
    .strictObject({ port, service: grpcServiceField })
    .optional()
    .describe('Healthy when grpc.health.v1 answers SERVING'),
  command: z.array(argument).min(1).max(256).optional().describe('Healthy when it exits 0, run inside the service'),
  intervalSeconds: secondsField(1, 3600).default(2).describe('Between two looks, after the first success'),
  timeoutSeconds: secondsField(1, 3600).default(1).describe('How long one look may take'),
  successThreshold: z.int().min(1).max(100).default(1).describe('Successes in a row that make it healthy'),
  failureThreshold: z.int().min(1).max(100).default(3).describe('Failures in a row that make it unhealthy'),
  startSeconds: secondsField(0).default(30).describe('How long it may take to the first success'),
  onUnhealthy: z
    .enum(['drain', 'restart'])
    .default('drain')
    .describe('drain: take it out of rotation; restart: also start it anew'),
})

export type HealthCheckSpec = z.output<typeof healthCheckSpec>

export const probeTypes = ['http', 'tcp', 'grpc', 'command'] as const
export type ProbeType = (typeof probeTypes)[number]

import { z } from 'zod'
import { portNameField } from '../fields.ts'

export const portProtocols = ['http', 'tcp', 'udp'] as const

export const portSpec = z.strictObject({
  name: portNameField.describe('What others call this port: health checks, routes, and PORT_<NAME> in the environment'),
  port: z.int().min(1).max(65_535).describe('The port that the service listens on; on local, what others name'),
  protocol: z.enum(portProtocols).default('http').describe('What is spoken on it; http ports answer at the edge'),
  hostPort: z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('A fixed port of the machine, where one replica at a time can hold it; 0: none'),
  bind: z
    .union([z.ipv4(), z.ipv6()])
    .default('127.0.0.1')
    .describe('The address of the machine that hostPort is opened on; on local told as GANTRY_BIND_<NAME>'),
})

export type PortSpec = z.output<typeof portSpec>

/** What is said over the WebSockets of exec and port-forward. */
import { z } from 'zod'
import { problemSchema } from './problem.ts'
import { serviceField } from './service-field.ts'

/** Ports of objects that others wrote have longer names than those of services. */
const portName = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const replica = z.int().min(0).max(99_999).optional().describe('By index; left out: the first that is ready')
const size = { rows: z.int().min(1).max(10_000), columns: z.int().min(1).max(10_000) }
const end = z.strictObject({ type: z.literal('end').describe('Nothing more comes from this side') })
const fault = z.looseObject({ type: z.literal('fault').describe('It ends with this'), problem: problemSchema })

export const execStart = z.strictObject({
  type: z.literal('start').describe('The first frame'),
  argv: z
    .array(z.string().max(131_072))
    .min(1)
    .max(1000)
    .describe('The program and its arguments; no shell reads them'),
  service: serviceField.optional().describe('Left out: the main one'),
  replica,
  stdin: z.boolean().default(false).describe('false: the command reads end of file at once'),
  tty: z.strictObject(size).optional().describe('With a terminal of this size'),
})

export const execClientFrame = z.discriminatedUnion('type', [
  execStart,
  z.strictObject({ type: z.literal('resize').describe('The terminal has this size now'), ...size }),
  end,
])

export const execServerFrame = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('started').describe('The command runs here'),
    service: z.string(),
    slot: z.enum(['a', 'b']),
    replica: z.int().min(0),
  }),
  z.looseObject({
    type: z.literal('exit').describe('It has ended'),
    ended: z.enum(['exited', 'killed', 'left_running']),
    exitCode: z.int().optional().describe('Its own, when it has exited'),
  }),
  fault,
])

export const forwardStart = z.strictObject({
  type: z.literal('start').describe('The first frame'),
  port: z
    .union([z.string().regex(portName), z.int().min(1).max(65_535)])
    .describe('By name, or the number that the spec has'),
  service: serviceField.optional().describe('Left out: the main one'),
  replica,
})

export const forwardClientFrame = z.discriminatedUnion('type', [forwardStart, end])

export const forwardServerFrame = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('started').describe('Connected'),
    service: z.string(),
    slot: z.enum(['a', 'b']),
    replica: z.int().min(0),
    port: z.string(),
  }),
  end,
  fault,
])

export type ExecStart = z.output<typeof execStart>
export type ExecClientFrame = z.output<typeof execClientFrame>
export type ExecServerFrame = z.output<typeof execServerFrame>
export type ForwardStart = z.output<typeof forwardStart>
export type ForwardClientFrame = z.output<typeof forwardClientFrame>
export type ForwardServerFrame = z.output<typeof forwardServerFrame>

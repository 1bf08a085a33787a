/** A fault as it goes over the wire: RFC 9457, with what a program needs to tell it apart. */
import { type FaultKind, faultMeaning } from '@gantry/core'
import { z } from 'zod'

export const problemSchema = z
  .looseObject({
    type: z.string().describe('urn:gantry:fault:<reason>'),
    title: z.string().describe('What the kind means, in words'),
    status: z.int(),
    detail: z.string().describe('What, why, and what to do next'),
    kind: z.enum(Object.keys(faultMeaning) as [FaultKind, ...FaultKind[]]).describe('What a program does about it'),
    reason: z.string().describe('Which of the known causes; see docs/faults.md'),
    issues: z
      .array(
        z.looseObject({
          path: z.string().describe('Which field, as a user reads it: spec.services[0].ports[1].name'),
          message: z.string(),
          line: z.int().optional().describe('Where it came from a file'),
        }),
      )
      .describe('Every offending field at once'),
    retryAfterMs: z.number().min(0).optional().describe('How long to wait before the next try'),
    requestId: z.string().optional().describe('By which the server’s log can be searched'),
  })
  .describe('Why it was not done')

export type Problem = z.output<typeof problemSchema>

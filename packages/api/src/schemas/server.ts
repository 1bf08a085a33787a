/** What the server says about itself and about who asks. */
import { z } from 'zod'
import { roles } from '../identity.ts'

export const whoamiSchema = z.looseObject({
  name: z.string().describe('As audit shows it'),
  grants: z.array(z.looseObject({ role: z.enum(roles), tenant: z.string().optional() })),
})

export const versionSchema = z.looseObject({
  version: z.string().describe('Of the server'),
  apiVersions: z.array(z.string()).describe('The languages of objects that it reads'),
  edge: z
    .string()
    .optional()
    .describe('Where its edge listens, as http://127.0.0.1:7480; absent: workloads have no address'),
})

export const healthSchema = z.looseObject({ status: z.literal('ok') })

export const readySchema = z.looseObject({
  ready: z.boolean(),
  parts: z.array(
    z.looseObject({
      name: z.string(),
      ready: z.boolean(),
      message: z.string().optional().describe('What it waits for, if it is not ready'),
    }),
  ),
})

export type Whoami = z.output<typeof whoamiSchema>
export type ServerVersion = z.output<typeof versionSchema>
export type Readiness = z.output<typeof readySchema>

import { z } from 'zod'

export const restartPolicies = ['always', 'on_failure', 'never'] as const

export const restartSpec = z.strictObject({
  policy: z.enum(restartPolicies).default('always').describe('When a service that ended is started again'),
  maxPerHour: z.int().min(0).max(3600).default(20).describe('More restarts than this and the replica has failed'),
})

export type RestartSpec = z.output<typeof restartSpec>

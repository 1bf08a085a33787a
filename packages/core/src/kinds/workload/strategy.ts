/** How one release gives way to the next. Flat, so that a wrong field is named by itself; `rules/` says which go together. */
import { z } from 'zod'
import { secondsField } from '../fields.ts'

export const strategyTypes = ['rolling', 'recreate', 'blue_green', 'canary'] as const
export type StrategyType = (typeof strategyTypes)[number]

export const canaryStepSpec = z.strictObject({
  weight: z.int().min(0).max(100).describe('Percent of requests that the new release gets'),
  pauseSeconds: secondsField(0).optional().describe('How long to stay here'),
  manual: z.literal(true).optional().describe('Stay until someone promotes'),
})

export const canaryAnalysisSpec = z.strictObject({
  maxErrorRate: z.number().min(0).max(1).default(0.05).describe('Share of failed requests that fails the rollout'),
  minRequests: z.int().min(1).max(1_000_000).default(20).describe('Requests to have seen before judging'),
})

export const strategyFields = z.strictObject({
  type: z.enum(strategyTypes).default('rolling').describe('stateful_set takes recreate, or rolling with maxSurge 0'),
  maxSurge: z.int().min(0).max(1000).optional().describe('rolling: replicas above the wanted number; default 1'),
  maxUnavailable: z.int().min(0).max(1000).optional().describe('rolling: replicas below the wanted number; default 0'),
  autoPromote: z.boolean().optional().describe('blue_green: switch by itself once ready; default true'),
  warmSeconds: secondsField(0)
    .optional()
    .describe('blue_green: keep the old one this long after the switch; default 0'),
  steps: z
    .array(canaryStepSpec)
    .min(1)
    .max(50)
    .optional()
    .describe('canary: the way to 100 percent; default 10 and 50, 60 seconds each'),
  analysis: canaryAnalysisSpec.optional().describe('canary: when the error rate ends it'),
  minReadySeconds: secondsField(0, 3600).default(2).describe('How long a replica must be ready before it counts'),
  progressDeadlineSeconds: secondsField(1).default(120).describe('How long a rollout may go without progress'),
  onFailure: z.enum(['rollback', 'pause']).default('rollback').describe('What a failed rollout does by itself'),
})

export type StrategyFields = z.output<typeof strategyFields>
export type CanaryStep = z.output<typeof canaryStepSpec>
export type CanaryAnalysis = z.output<typeof canaryAnalysisSpec>

type Gates = Pick<StrategyFields, 'minReadySeconds' | 'progressDeadlineSeconds' | 'onFailure'>

/** As the rollout engine gets it: each type with exactly its own fields. */
export type StrategySpec =
  | ({ type: 'rolling'; maxSurge: number; maxUnavailable: number } & Gates)
  | ({ type: 'recreate' } & Gates)
  | ({ type: 'blue_green'; autoPromote: boolean; warmSeconds: number } & Gates)
  | ({ type: 'canary'; steps: CanaryStep[]; analysis?: CanaryAnalysis | undefined } & Gates)

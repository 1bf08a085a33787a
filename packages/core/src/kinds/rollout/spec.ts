/** The act of bringing a workload to a release. What a person may still say about one that is under way is spec. */
import { z } from 'zod'
import { nameField, titleField } from '../fields.ts'
import { releaseNumberField } from '../release/release.ts'
import { workloadTypes } from '../workload/spec.ts'
import { stampField } from '../workload/stamp.ts'
import { canaryAnalysisSpec, canaryStepSpec, type StrategySpec, strategyFields } from '../workload/strategy.ts'

/** Why there is one. `move`: the workload goes to another provider, or becomes another type. */
export const rolloutTriggers = ['create', 'deploy', 'rollback', 'restart', 'secret', 'move'] as const
export type RolloutTrigger = (typeof rolloutTriggers)[number]

const { minReadySeconds, progressDeadlineSeconds, onFailure } = strategyFields.shape
const gates = { minReadySeconds, progressDeadlineSeconds, onFailure }

/** As `StrategySpec`: everything is decided, and each type has exactly its own fields. */
const decidedStrategy = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('rolling').describe('One after the other'),
    maxSurge: z.int().min(0).describe('Replicas above the wanted number'),
    maxUnavailable: z.int().min(0).describe('Replicas below the wanted number'),
    ...gates,
  }),
  z.strictObject({ type: z.literal('recreate').describe('All away, then all anew'), ...gates }),
  z.strictObject({
    type: z.literal('blue_green').describe('All anew beside the old, then one switch'),
    autoPromote: z.boolean().describe('Switch by itself once ready'),
    warmSeconds: z.int().min(0).describe('Keep the old one this long after the switch'),
    ...gates,
  }),
  z.strictObject({
    type: z.literal('canary').describe('Beside the old, with more and more of the requests'),
    steps: z.array(canaryStepSpec).min(1).describe('The way to 100 percent'),
    analysis: canaryAnalysisSpec.optional().describe('When the error rate ends it'),
    ...gates,
  }),
])

export const rolloutFields = z.strictObject({
  workload: nameField.describe('Whose it is'),
  number: z.int().min(1).describe('Counts the rollouts of the workload; a newer one supersedes those before'),
  release: releaseNumberField.describe('The release to be brought about'),
  from: releaseNumberField.optional().describe('The release that a failure goes back to; left out: there is none'),
  provider: nameField.describe('Where it is to run; on another provider than before it moves'),
  type: z.enum(workloadTypes).describe('stateful_set: replicas with an identity and storage of their own'),
  trigger: z.enum(rolloutTriggers).describe('Why there is one'),
  createdBy: z.string().max(256).optional().describe('Who asked for it'),
  message: titleField.optional().describe('Why, in their words; else what changed'),
  strategy: decidedStrategy.describe('How, as it was when this began'),
  restartStamp: stampField.optional().describe('Of the workload: replicas with another one are replaced'),
  paused: z.boolean().default(false).describe('A person has asked to go no further for now'),
  promote: z.int().min(0).default(0).describe('How many gates a person has opened'),
  resume: z.int().min(0).default(0).describe('How often a person has said to try on after a failure'),
  abort: z
    .strictObject({
      by: z.string().max(256).describe('Who has asked for it'),
      why: z.string().max(500).default('').describe('In their words'),
    })
    .optional()
    .describe('A person has asked to go back'),
})

export type RolloutInput = z.input<typeof rolloutFields>
export type RolloutSpec = Omit<z.output<typeof rolloutFields>, 'strategy'> & { strategy: StrategySpec }

/** What a rollout is called; no other workload's can be called the same. */
export function rolloutName(workload: string, number: number): string {
  return `${workload}-r${number}`
}

/** How far a rollout has come, where requests go meanwhile, and what it waits for. */
import { z } from 'zod'
import { commonStatus } from '../envelope.ts'
import { slots } from '../instance/slot.ts'

export const rolloutPhases = [
  'pending',
  'progressing',
  'paused',
  'promoting',
  'rolling_back',
  'succeeded',
  'failed',
  'rolled_back',
  'aborted',
  'superseded',
] as const
export type RolloutPhase = (typeof rolloutPhases)[number]

/** Of these nothing more comes. `failed` is not among them: with nothing to go back to, it is tried on. */
export const endedPhases = ['succeeded', 'rolled_back', 'aborted', 'superseded'] as const satisfies RolloutPhase[]

export function hasEnded(phase: RolloutPhase | undefined): boolean {
  return phase !== undefined && (endedPhases as readonly RolloutPhase[]).includes(phase)
}

/**
 * update: the slot takes the release in place. fill: the other slot is brought up. gate: a person is to look at it.
 * shift: it gets a part of the requests. switch: it gets all. warm: the old one is kept. back: as it was before.
 * clear: the old place is left first, where two must never run at once.
 */
export const rolloutSteps = ['clear', 'update', 'fill', 'gate', 'shift', 'switch', 'warm', 'back'] as const
export type RolloutStep = (typeof rolloutSteps)[number]

/** Whose turn it is while the rollout waits. Only what `replicas` take counts against the progress deadline. */
export const waitReasons = ['replicas', 'engine', 'removal', 'edge', 'person', 'time', 'rollout', 'workload'] as const
export type WaitReason = (typeof waitReasons)[number]

const time = z.string()
const percent = z.int().min(0).max(100)
const slot = z.enum(slots)

export const rolloutFailure = z.strictObject({
  reason: z.string().describe('One word that a program can tell it by'),
  message: z.string().describe('What is wrong, in a sentence'),
  at: time.describe('When it was seen'),
  service: z.string().optional().describe('The service that it is about'),
  replica: z.int().min(0).optional().describe('The replica, by index'),
  engineId: z.string().optional().describe('The replica, as logs are asked for'),
  exitCode: z
    .union([z.int(), z.literal('unknown')])
    .optional()
    .describe('Of the process that ended; unknown if the end was missed'),
  logTail: z.array(z.string()).max(20).optional().describe('The last lines that it wrote'),
})

export type RolloutFailure = z.output<typeof rolloutFailure>

export const rolloutStatus = z.strictObject({
  ...commonStatus,
  phase: z.enum(rolloutPhases).optional().describe('How it stands'),
  step: z.enum(rolloutSteps).optional().describe('What is being done'),
  stepIndex: z.int().min(0).optional().describe('canary: which of the steps of the strategy'),
  weights: z
    .strictObject({ a: percent, b: percent })
    .optional()
    .describe('Percent of requests for each slot; sums to 100'),
  stable: slot.optional().describe('The slot that is trusted'),
  candidate: slot.optional().describe('The slot that the release is brought up in, where that is another one'),
  previousStamp: z.string().optional().describe('The restart stamp that a failure goes back to'),
  returnable: z.boolean().optional().describe('Whether there is something that a failure can go back to'),
  returnsTo: z.int().min(1).optional().describe('The release that a failure goes back to'),
  gates: z.int().min(0).optional().describe('How many gates were passed because a person opened them'),
  waitingOn: z.enum(waitReasons).optional().describe('Whose turn it is'),
  waitingFor: z.string().optional().describe('What it waits for, so that "waiting for …" reads as a sentence'),
  since: time.optional().describe('Since when it is at this step'),
  progressAt: time.optional().describe('When it last came nearer; the progress deadline counts from here'),
  progress: z
    .strictObject({
      generation: z.int().min(0).describe('Of the instance that is measured'),
      best: z.int().describe('The best that was seen of it'),
    })
    .optional()
    .describe('What counts as coming nearer: better than ever before'),
  failure: rolloutFailure.optional().describe('Why it failed'),
  resumed: z.int().min(0).optional().describe('What resume was when it failed; more of it tries on'),
  retriedAt: time.optional().describe('When it was last tried on after a failure'),
  startedAt: time.optional().describe('When it began'),
  endedAt: time.optional().describe('When it ended'),
})

export type RolloutStatus = z.output<typeof rolloutStatus>

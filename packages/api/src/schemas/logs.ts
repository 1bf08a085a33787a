/** Lines of a workload, in one shape on every engine. */
import { readDuration } from '@gantry/core'
import { z } from 'zod'
import { problemSchema } from './problem.ts'
import { flagText, integerText } from './query.ts'
import { serviceField } from './service-field.ts'

/** How many lines can be asked for at once from the end; without `tail` there is no bound. */
export const mostTailed = 100_000

const whole = /^[0-9]{1,6}$/

const sinceText = z
  .string()
  .max(40)
  .refine(
    (text) => readDuration(text) !== undefined || z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be a time such as 2026-01-31T12:00:00Z, or how long ago such as 10m',
  )

export const logQuery = z.strictObject({
  follow: flagText.optional().describe('true: stay for what comes, also from replicas that come'),
  since: sinceText.optional().describe('Nothing older than this: a time, or how long ago'),
  tail: integerText(0, mostTailed, whole, 'must be a whole number')
    .optional()
    .describe('The last so many lines of all that is selected'),
  service: serviceField.optional().describe('Of this service only'),
  replica: integerText(0, 99_999, whole, 'must be a whole number')
    .optional()
    .describe('Of this replica only, by index'),
  previous: flagText.optional().describe('true: of the replicas that were there before those that are there now'),
})

const about = {
  ts: z.string().describe('When it was written, as the engine says'),
  service: z.string(),
  slot: z.enum(['a', 'b']),
  replica: z.int().min(0).describe('By index'),
}

/** A line, or why lines are missing here. Values of secrets are not in it. */
export const logRecord = z.union([
  z.looseObject({ ...about, stream: z.enum(['stdout', 'stderr']), line: z.string() }),
  z.looseObject({ ...about, gap: z.string().describe('Why lines are missing here') }),
  z.looseObject({ fault: problemSchema.describe('The answer ends here, before its end, because of this') }),
])

type About = { readonly ts: string; readonly service: string; readonly slot: 'a' | 'b'; readonly replica: number }
export type WorkloadLogLine = About & { readonly stream: 'stdout' | 'stderr'; readonly line: string }
export type WorkloadLogGap = About & { readonly gap: string }
export type WorkloadLog = WorkloadLogLine | WorkloadLogGap

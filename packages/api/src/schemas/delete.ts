/** What can be said about what a workload leaves behind. */
import { titleField } from '@gantry/core'
import { z } from 'zod'
import { flagText } from './query.ts'

export const deleteWorkloadQuery = z.strictObject({
  volumes: flagText
    .optional()
    .describe('true: volumes that would be retained go too. Left out: they stay where the engine keeps them'),
  abandon: flagText
    .optional()
    .describe(
      'true: gives up on an engine that is gone for good. Its records go at once, the engine is left alone, and what may be left there is kept in audit',
    ),
  why: titleField.optional().describe('Kept in audit with what was abandoned'),
})

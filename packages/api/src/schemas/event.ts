/** What happened to an object, in words for people. The same thing again counts up instead of standing there twice. */
import { z } from 'zod'
import { continueField } from './list.ts'

export const eventSchema = z.looseObject({
  type: z.enum(['normal', 'warning']),
  reason: z.string().describe('One word that a program can tell it by'),
  message: z.string(),
  by: z.string().describe('Who saw it: a controller, or who asked'),
  count: z.int().min(1).describe('How often it happened'),
  firstAt: z.string(),
  lastAt: z.string(),
})

export type ObjectEvent = z.output<typeof eventSchema>

export const eventPage = z.looseObject({ items: z.array(eventSchema), continue: continueField })
export type EventPage = z.output<typeof eventPage>

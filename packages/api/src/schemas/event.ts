/** What happened to an object, in words for people. The same thing again counts up instead of standing there twice. */
import { z } from 'zod'
import { continueField } from './list.ts'
import { defaultLimit, limitText } from './query.ts'

const timeText = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })

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

/** Of any object of a tenant. */
export const tenantEventSchema = z.looseObject({
  ...eventSchema.shape,
  about: z.looseObject({ kind: z.string(), name: z.string() }).describe('The object that it happened to'),
})

export type TenantEvent = z.output<typeof tenantEventSchema>

export const tenantEvents = z.looseObject({ items: z.array(tenantEventSchema).describe('Newest first') })

export const tenantEventsQuery = z.strictObject({
  limit: limitText.optional().describe(`At most so many, the newest; left out: ${defaultLimit}`),
  since: timeText.optional().describe('Only what happened at this time or later'),
})

export const eventPage = z.looseObject({ items: z.array(eventSchema), continue: continueField })
export type EventPage = z.output<typeof eventPage>

/** Reads what came over the control socket. A table is read by its own rules, after its number was looked at. */
import { z } from 'zod'

const id = z.int().min(1)

const question = z.discriminatedUnion('ask', [
  z.object({ id, ask: z.literal('swap'), table: z.unknown() }),
  z.object({ id, ask: z.literal('state') }),
  z.object({ id, ask: z.literal('table') }),
  z.object({ id, ask: z.literal('figures') }),
  z.object({ id, ask: z.literal('in_flight'), backends: z.array(z.string()) }),
  z.object({ id, ask: z.literal('stop'), graceMs: z.number().min(0) }),
])

export type ReadQuestion = z.output<typeof question>

export function readQuestion(value: unknown): ReadQuestion | undefined {
  return question.safeParse(value).data
}

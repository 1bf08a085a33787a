/** What may stand in a path and behind the question mark. A query has texts only, so these turn texts into values. */
import { derivedNameField, nameField } from '@gantry/core'
import { z } from 'zod'

export const noFields = z.strictObject({})
export const inTenant = z.strictObject({ tenant: nameField.describe('Whose') })
export const named = z.strictObject({ name: nameField.describe('Which') })
export const namedInTenant = z.strictObject({ ...inTenant.shape, ...named.shape })
/** What controllers make has longer names. */
export const derivedInTenant = z.strictObject({ ...inTenant.shape, name: derivedNameField.describe('Which') })

/** In OpenAPI a query parameter is described by its value, and here by its text. */
export function integerText(min: number, max: number, pattern: RegExp, rule: string) {
  return z
    .string()
    .regex(pattern, rule)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ text: { type: 'integer', minimum: min, maximum: max } })
}

export const limitText = integerText(1, 1000, /^[0-9]{1,4}$/, 'must be a whole number')
export const versionText = integerText(0, Number.MAX_SAFE_INTEGER, /^[0-9]{1,16}$/, 'must be a resource version')
export const flagText = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ text: { type: 'boolean' } })

export const labelSelectorText = z.string().max(4096)
export const continueText = z
  .string()
  .max(4096)
  .regex(/^[\w.~+/=-]+$/, 'must be what the page before gave')

/** How many a page has when nobody says. */
export const defaultLimit = 500

export const pageQuery = z.strictObject({
  limit: limitText.optional().describe(`At most so many; left out: ${defaultLimit}`),
  continue: continueText.optional().describe('From the page before, with everything else as it was'),
})

export const listQuery = z.strictObject({
  labelSelector: labelSelectorText.optional().describe('As kubectl writes it: team=web, tier in (a, b), !legacy'),
  ...pageQuery.shape,
  watch: flagText.optional().describe('true: the answer is a stream of changes, as Server-Sent Events'),
  since: versionText
    .optional()
    .describe('Watch everything after this version; left out: from now on. Last-Event-ID wins over it'),
})

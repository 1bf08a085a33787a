/**
 * Fields that several kinds share. A schema says only what JSON Schema can say too (shapes, patterns, bounds, defaults),
 * so that the compiled validator of the API and this one agree; what crosses fields is a rule, in `rules/`.
 */
import { z } from 'zod'
import {
  derivedNamePattern,
  derivedNameRule,
  labelKeyPattern,
  labelKeyRule,
  labelValuePattern,
  labelValueRule,
  namePattern,
  nameRule,
  portNamePattern,
  portNameRule,
} from '../names.ts'
import { formatQuantity, quantityPattern, quantityRule, readQuantity } from '../quantity.ts'

export const nameField = z.string().regex(namePattern, nameRule)
/** Of what controllers make and name after something of the user's. */
export const derivedNameField = z.string().regex(derivedNamePattern, derivedNameRule)
export const portNameField = z.string().regex(portNamePattern, portNameRule)

export const labelsField = z.record(
  z.string().regex(labelKeyPattern, labelKeyRule),
  z.string().regex(labelValuePattern, labelValueRule),
)

/** One line for people. Control characters are refused in every text already. */
export const titleField = z
  .string()
  .max(200)
  .regex(/^[^\t\n\r]+$/, 'must be one line of at least one character')

export const annotationsField = z.record(z.string().regex(labelKeyPattern, labelKeyRule), z.string().max(65_536))

/** Absolute, so that it means the same to everyone who reads the object; without `..`, so that it means one place. */
export const absolutePathField = z
  .string()
  .max(4096)
  .regex(
    /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[^/\t\n\r]+)+\/?)$/,
    'must be an absolute path without "..", "." or empty parts',
  )

/** Below the root, because a service whose root is something else is no longer that service. */
export const placeField = z
  .string()
  .max(4096)
  .regex(
    /^(?:\/(?!\.{1,2}(?:\/|$))[^/\t\n\r]+)+\/?$/,
    'must be an absolute path below /, without "..", "." or empty parts',
  )

/** Text or number in, canonical text out: `0.5`, `"500m"` and `500m` are stored as `500m`. */
export const quantityField = z
  .union([z.string().regex(quantityPattern, quantityRule), z.number().nonnegative()])
  .transform((value, context) => {
    const quantity = readQuantity(String(value))
    if (quantity !== undefined) return formatQuantity(quantity)
    context.addIssue({ code: 'custom', message: quantityRule })
    return z.NEVER
  })

export const secondsField = (min: number, max = 86_400): z.ZodInt => z.int().min(min).max(max)

/** One word of a command line. Any text: it reaches the engine as one argument and no shell ever reads it. */
export const argument = z.string().max(131_072)

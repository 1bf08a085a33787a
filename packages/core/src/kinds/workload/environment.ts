import { z } from 'zod'

/** Cannot end in a dash, because `KEY-` is how a deploy removes one. */
export const envNamePattern = /^[A-Za-z_](?:[-.A-Za-z0-9_]{0,254}[A-Za-z0-9_])?$/
export const envNameRule =
  'must be letters, digits and underscores (dots and dashes inside), and not begin with a digit'
export const envNameField = z.string().regex(envNamePattern, envNameRule)

/** Numbers and booleans become strings, as they would in any environment. */
export const environmentField = z.record(
  envNameField,
  z.union([z.string().max(131_072), z.number().transform(String), z.boolean().transform(String)]),
)

/** The name of one value in a Secret: what a service refers to, and what may be a file's name. */
import { z } from 'zod'

export const secretKeyField = z
  .string()
  .regex(/^[-._A-Za-z0-9]{1,253}$/, 'must be letters, digits, dashes, dots and underscores')

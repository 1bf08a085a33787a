import { z } from 'zod'

/** Means nothing but that something was asked for anew: a time, mostly. */
export const stampField = z.string().regex(/^[!-~]{1,64}$/, 'must be 1 to 64 visible characters, such as a time')

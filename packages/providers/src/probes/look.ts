/** One look at a service by a health check: well, or not and why. */
import type { Call } from '@gantry/core'

export type Finding = { readonly well: true } | { readonly well: false; readonly message: string }

/** Never throws but for the caller's own reason: what could not be asked is not well, and says why. */
export type Look = (call: Call) => Promise<Finding>

export const well: Finding = { well: true }
export const unwell = (message: string): Finding => ({ well: false, message })

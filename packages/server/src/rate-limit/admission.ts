/** How many requests one address and one identity may make. */
import type { Identity } from '@gantry/api'
import type { Clock } from '@gantry/core'
import { rateLimit } from './rate-limit.ts'

type Rate = { readonly perSecond: number; readonly burst: number }
export type Rates = { readonly perAddress: Rate; readonly perToken: Rate }

/** Of one busy installation. */
export const usualRates: Rates = {
  perAddress: { perSecond: 1000, burst: 5000 },
  perToken: { perSecond: 500, burst: 2000 },
}

/** Throws `rate_limited`. By address before it is known who asks, and by who it is from then on. */
export function admission(clock: Clock, rates: Rates): (address: string, identity: Identity | undefined) => void {
  const limiter = rateLimit({ clock, ...rates })
  return (address, identity) => (identity ? limiter.admitToken(identity.name) : limiter.admitAddress(address))
}

/** Refuses who asks too often: by address before anybody is known, and by token afterwards. */
import { type Clock, Fault } from '@gantry/core'
import { addressKey } from './address-key.ts'
import { Buckets, type Rate } from './buckets.ts'

export type RateLimitOptions = {
  readonly clock: Clock
  /** Of each address, or of each /64 network of IPv6; counted before the token is looked at, so that guessing costs. */
  readonly perAddress: Rate
  readonly perToken: Rate
  /** How many of each are remembered. */
  readonly capacity?: number
}

export interface RateLimit {
  /** Throws `too_many_requests` with the time to wait. */
  admitAddress(address: string): void
  /** By the id of the token, never its text. Throws `too_many_requests` with the time to wait. */
  admitToken(id: string): void
}

/** About 10 MB at the very worst, for both. */
const defaultCapacity = 50_000

export function rateLimit({ clock, perAddress, perToken, capacity = defaultCapacity }: RateLimitOptions): RateLimit {
  const addresses = new Buckets({ clock, capacity, ...perAddress })
  const tokens = new Buckets({ clock, capacity, ...perToken })
  return {
    admitAddress: (address) => refuse(addresses.take(addressKey(address)), 'from this address', perAddress),
    admitToken: (id) => refuse(tokens.take(id), 'with this token', perToken),
  }
}

function refuse(retryAfterMs: number, what: string, { perSecond, burst }: Rate): void {
  if (retryAfterMs === 0) return
  const limit = `${perSecond} a second are allowed, ${burst} at once`
  const advice = `Try again in ${Math.ceil(retryAfterMs / 1000)} s`
  throw new Fault('too_many_requests', `Too many requests ${what}: ${limit}. ${advice}`, { retryAfterMs })
}

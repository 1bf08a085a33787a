/**
 * Which Provider workloads get that name none: the one that says so of itself, at most one in the installation. The store
 * counts it like a quota, so that of two that are made the default at once only one is.
 */
import { Fault, type ProviderSpec } from '@gantry/core'
import type { UsageLimit } from '@gantry/store'

const counter = 'providers.default'

/** Providers lie in no tenant, which to the store is the tenant without a name. */
export const defaultProviderLimit: UsageLimit = { tenant: '', counter, limit: 1n }

/** Also when it is none: a count that was given must be taken back. */
export function defaultProviderUsage({ default: isDefault = false }: ProviderSpec): Readonly<Record<string, bigint>> {
  return { [counter]: isDefault ? 1n : 0n }
}

/** A refusal because there is another, in words that are not those of a quota. */
export function inWordsOfDefault(fault: Fault): Fault {
  if (fault.reason !== 'quota_exceeded' || !fault.issues.some(({ path }) => path === `limits.${counter}`)) return fault
  const message = 'is set on another provider already; take it from that one first, or apply both together'
  return new Fault('default_taken', `There can be one default provider only: spec.default ${message}`, {
    issues: [{ path: 'spec.default', message }],
    cause: fault,
  })
}

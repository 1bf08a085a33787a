/** What must hold between the fields of a secret. */
import type { Finding } from '../../validation/issues.ts'
import type { SecretSpec } from './secret.ts'

export function keysOnce({ keys }: SecretSpec): Finding[] {
  return keys.flatMap((key, at) =>
    keys.indexOf(key) === at ? [] : [{ path: ['keys', at], message: `is there twice: ${key}` }],
  )
}

export const secretRules = [keysOnce] as const

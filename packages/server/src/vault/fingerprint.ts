/**
 * Fingerprints tell whether two values are equal. They are keyed, with a random key per secret that is itself sealed, so
 * nobody can try out values against them; and not with the master key, so that they outlive its rotation.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '@gantry/core'
import { damaged, type Envelope, open, type Place, seal } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'

const name = 'fingerprint'

export type FingerprintKey = { readonly key: Secret; readonly envelope: Envelope }

export function newFingerprintKey(ring: KeyRing, place: Place): FingerprintKey {
  const key = new Secret(randomBytes(32))
  return { key, envelope: seal(ring, place, new Map([[name, key]])) }
}

export function openFingerprintKey(ring: KeyRing, place: Place, envelope: Envelope): FingerprintKey {
  const key = open(ring, place, envelope, name)
  if (!key) throw damaged(place, 'it holds no key for fingerprints')
  return { key, envelope }
}

/** Of a value under its name, so that two keys with the same value do not show that. */
export function fingerprint({ key }: FingerprintKey, of: string, value: Secret, bytes: number): string {
  const mac = createHmac('sha256', key.revealBytes())
  mac.update(`${JSON.stringify(of)}\n`)
  mac.update(value.revealBytes())
  return mac.digest().subarray(0, bytes).toString('hex')
}

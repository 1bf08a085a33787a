/**
 * Envelopes: a fresh data key seals the values, the master key seals the data key. Both are bound to where they lie, so
 * that what was moved, renumbered, renamed or taken out does not open. Pure, but for random numbers.
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Fault, Secret } from '@gantry/core'
import type { KeyRing, MasterKey } from './key-ring.ts'
import type { Values } from './vault.ts'

/** Where an envelope lies: all parts together name exactly one place. */
export type Place = readonly (string | number)[]

export type Envelope = {
  readonly format: 1
  /** The id of the master key. */
  readonly masterKey: string
  /** The data key, sealed. */
  readonly dataKey: string
  /** By the name of its key: nonce, ciphertext and tag in base64. */
  readonly values: Readonly<Record<string, string>>
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function seal(ring: KeyRing, place: Place, values: Values): Envelope {
  const bytes = randomBytes(32)
  const key = createSecretKey(bytes)
  const sealed = [...values].map(([name, value]) => [name, lock(key, valuePlace(place, name), value.revealBytes())])
  const dataKey = lock(ring.newest.wrapping, keyPlace(place, ring.newest.id, [...values.keys()]), bytes)
  bytes.fill(0)
  return { format: 1, masterKey: ring.newest.id, dataKey, values: Object.fromEntries(sealed) }
}

/** `undefined`: there is no value of that name in it. */
export function open(ring: KeyRing, place: Place, envelope: Envelope, name: string): Secret | undefined {
  const bytes = openDataKey(ring, place, envelope)
  try {
    if (!Object.hasOwn(envelope.values, name)) return undefined
    return new Secret(unlock(createSecretKey(bytes), valuePlace(place, name), envelope.values[name] ?? '', place))
  } finally {
    bytes.fill(0)
  }
}

/** The same envelope under the newest master key; the values stay as they are. `undefined`: it is there already. */
export function reseal(ring: KeyRing, place: Place, envelope: Envelope): Envelope | undefined {
  if (envelope.masterKey === ring.newest.id) return undefined
  const bytes = openDataKey(ring, place, envelope)
  const { id, wrapping } = ring.newest
  const dataKey = lock(wrapping, keyPlace(place, id, Object.keys(envelope.values)), bytes)
  bytes.fill(0)
  return { ...envelope, masterKey: id, dataKey }
}

function openDataKey(ring: KeyRing, place: Place, { format, masterKey, dataKey, values }: Envelope): Uint8Array {
  if (format !== 1) throw damaged(place, `format ${String(format)} is not known`)
  const master: MasterKey | undefined = ring.find(masterKey)
  if (!master) throw unknownKey(masterKey)
  return unlock(master.wrapping, keyPlace(place, masterKey, Object.keys(values)), dataKey, place)
}

/** The names of all values belong to it: none can be taken out unnoticed. */
const keyPlace = (place: Place, keyId: string, names: readonly string[]): string =>
  JSON.stringify(['data key', ...place, keyId, names.toSorted()])

const valuePlace = (place: Place, name: string): string => JSON.stringify(['value', ...place, name])

function lock(key: KeyObject, place: string, plain: Uint8Array): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

function unlock(key: KeyObject, aad: string, sealed: string, place: Place): Uint8Array {
  const bytes = Buffer.from(sealed, 'base64')
  // What base64 forgives must not pass either: one value, one text.
  if (bytes.toString('base64') !== sealed || bytes.length < nonceBytes + tagBytes)
    throw damaged(place, 'cut or garbled')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(aad)).setAuthTag(bytes.subarray(-tagBytes))
  const opened = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch {
    // Without a cause: OpenSSL says no more than that it does not fit.
    throw damaged(place, 'it does not fit its place and key')
  }
}

export function damaged(place: Place, why: string): Fault {
  const what = 'A sealed value was damaged, or moved from where it was written'
  const advice = 'Write the secret anew, or restore a backup'
  return new Fault('sealed_value_damaged', `${what}. ${advice}`, { detail: `${JSON.stringify(place)}: ${why}` })
}

export function unknownKey(id: string): Fault {
  const advice = 'Put that key back beside the present one (the newest first), and start the server again'
  return new Fault('master_key_unknown', `The vault was sealed with the master key ${id}, which is not here. ${advice}`)
}

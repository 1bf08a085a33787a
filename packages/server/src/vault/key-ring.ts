/** The master keys there are: the newest seals, the others only open what they sealed. */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { Fault } from '@gantry/core'

export type MasterKey = {
  /** Says which key it is, and nothing about it. */
  readonly id: string
  readonly wrapping: KeyObject
}

export type KeyRing = { readonly newest: MasterKey; readonly find: (id: string) => MasterKey | undefined }

const keyBytes = 32

/** Keys as base64, 32 bytes each, apart by spaces, lines or commas; the newest first. */
export function parseKeyRing(text: string, where: string): KeyRing {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part, at) => masterKey(part, `${where}, key ${at + 1}`))
  const [newest] = keys
  if (!newest) throw unusable(`${where} holds no key`)
  const byId = new Map(keys.map((key) => [key.id, key]))
  return { newest, find: (id) => byId.get(id) }
}

function masterKey(text: string, where: string): MasterKey {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== keyBytes || !/^[A-Za-z0-9+/]{43}=?$/.test(text)) {
    throw unusable(`${where} is not ${keyBytes} bytes in base64`)
  }
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', bytes, 'gantry/vault', purpose, length))
  const wrapping = derive('wrapping', keyBytes)
  const key = { id: derive('id', 8).toString('hex'), wrapping: createSecretKey(wrapping) }
  wrapping.fill(0)
  bytes.fill(0)
  return key
}

/** Never with what was read: it may well be a key with a typing error. */
export function unusable(what: string, cause?: unknown): Fault {
  const advice = 'A new one is made by `openssl rand -base64 32`; one that was in use must be brought back as it was'
  return new Fault('master_key_unusable', `The master key of the vault cannot be used: ${what}. ${advice}`, { cause })
}

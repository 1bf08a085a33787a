/** SHA-256, at once and everywhere: a browser's own digest is asynchronous, and plans are pure functions. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from './canonical-json.ts'

export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data))
}

/** The same for equal values, however their keys are ordered. */
export function hashOf(value: unknown): string {
  return sha256Hex(canonicalJson(value))
}

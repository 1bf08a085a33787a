/** The text of a token, and what is kept of it. */
import { hash, randomBytes } from 'node:crypto'

const prefix = 'gantry_'

/** 256 bits of chance, with a beginning that scanners for leaked tokens can know. */
export function newTokenText(): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`
}

/** A plain hash is enough: nobody guesses 256 bits, so there is nothing for salt or slowness to protect. */
export function tokenHash(text: string): string {
  return hash('sha256', text)
}

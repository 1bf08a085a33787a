/** What a value looks like when it is printed: as it is, line by line, and in the ways programs commonly write it. */
import type { Secret } from '@gantry/core'

/** Shorter ones would be found everywhere, and hide more than they protect. */
export const shortestMasked = 4
/** A line of a value with several: longer, since lines of a value are often words. */
const shortestLine = 8
/** Forms of longer values would cost more memory than they are worth. */
const longestTransformed = 8192

/** Line ends are left out, as the masker reads over them. */
export function formsOf(secret: Secret): string[] {
  const bytes = Buffer.from(secret.revealBytes())
  const value = bytes.toString('utf8')
  const forms = [value, ...linesOf(value)]
  if (bytes.length <= longestTransformed) {
    const quoted = JSON.stringify(value).slice(1, -1)
    forms.push(quoted, encodeURIComponent(value), bytes.toString('base64'), bytes.toString('base64url'))
  }
  return forms.map((form) => form.replaceAll(/[\r\n]/g, '')).filter(({ length }) => length >= shortestMasked)
}

/** A program that puts a time before each line tears a value apart; what is left of it are its lines. */
function linesOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  return lines.length > 1 ? lines.filter(({ length }) => length >= shortestLine) : []
}

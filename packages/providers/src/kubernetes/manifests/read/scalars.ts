/**
 * What a plain word of YAML means to the tools of Kubernetes, which read it as Go's first YAML library does: YAML 1.1, but for
 * what that library never learned (sexagesimals) and what it learned later (0o12). Each row of the test was asked of kubectl.
 */
const truths = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'])
const lies = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'])
const nothings = new Set(['', '~', 'null', 'Null', 'NULL'])
const beyond = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

const whole = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/
const fraction = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

export type Meaning =
  | { readonly value: string | number | boolean | null }
  /** JSON has no word for it, or a double of ours would change it. */
  | { readonly wrong: string }

export function meaningOf(word: string): Meaning {
  if (truths.has(word)) return { value: true }
  if (lies.has(word)) return { value: false }
  if (nothings.has(word)) return { value: null }
  if (beyond.test(word)) return { wrong: 'is not a finite number' }
  if (!/^[-+.0-9]/.test(word)) return { value: word }
  return numberOf(word.replaceAll('_', '')) ?? { value: word }
}

function numberOf(digits: string): Meaning | undefined {
  const parts = whole.exec(digits)
  if (parts) return wholeNumber(parts)
  if (!fraction.test(digits)) return undefined
  const value = Number(digits)
  // Go leaves a number that is too large as the text that it was.
  return Number.isFinite(value) ? { value } : undefined
}

function wholeNumber([, sign, hex, binary, octal, decimal]: RegExpExecArray): Meaning {
  const written = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (decimal ?? '0')
  const exact = BigInt(written) * (sign === '-' ? -1n : 1n)
  const value = Number(exact)
  if (Number.isSafeInteger(value)) return { value: value === 0 ? 0 : value }
  return { wrong: 'is a number too large to be kept exactly; write it in quotes, or smaller' }
}

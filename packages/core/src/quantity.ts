/**
 * Amounts of cpu, memory and disk, exactly: `250m`, `64Mi`, `1Gi`, `1e3`, `0.5`. A quantity is a whole number of
 * billionths in a BigInt, so nothing is ever rounded; what does not fit is refused.
 */
import { Fault } from './fault.ts'

/** Billionths of a core, of a byte, of whatever is measured. */
export type Quantity = bigint

/** What a spec accepts: whatever `formatQuantity` writes, and no text that asks for a number that fills the memory. */
export const quantityPattern = /^\d{1,28}(?:\.\d{1,9})?(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,2})?$/
export const quantityRule = 'must be a quantity such as 250m, 0.5, 2, 64Mi or 1G'

const parts = /^(-?)(\d{1,28})(?:\.(\d{1,9}))?(?:([numkMGTPE])|([KMGTPE])i|[eE]([+-]?\d{1,2}))?$/
const decimalExponent = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const
const binaryPower = { K: 1n, M: 2n, G: 3n, T: 4n, P: 5n, E: 6n } as const

/** No engine counts further than this, and 28 digits are enough to write it in billionths. */
const largest = (2n ** 63n - 1n) * 1_000_000_000n

/** The amount that a text means, or `undefined` if it means none, one finer than a billionth, or one beyond 2^63. */
export function readQuantity(text: string): Quantity | undefined {
  const found = parts.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = '', decimal, binary, exponent] = found
  const digits = BigInt(whole + fraction)
  const scale = decimal ? decimalExponent[decimal as keyof typeof decimalExponent] : Number(exponent ?? 0)
  const factor = binary ? 1024n ** binaryPower[binary as keyof typeof binaryPower] : 1n
  const nanos = shifted(digits * factor, scale - fraction.length + 9)
  if (nanos === undefined || nanos > largest) return undefined
  return sign ? -nanos : nanos
}

export function parseQuantity(text: string): Quantity {
  const quantity = readQuantity(text)
  if (quantity !== undefined) return quantity
  throw new Fault('bad_quantity', `${JSON.stringify(text.slice(0, 80))} is not an amount: it ${quantityRule}`)
}

/** Times a power of ten; `undefined` where that is not a whole number. */
function shifted(value: bigint, power: number): bigint | undefined {
  if (power >= 0) return value * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return value % divisor === 0n ? value / divisor : undefined
}

const one = 1_000_000_000n

/** Largest first. */
const families = [
  ['E', 'P', 'T', 'G', 'M', 'k', '', 'm', 'u', 'n'].map((suffix, at) => ({ suffix, unit: 10n ** BigInt(27 - 3 * at) })),
  ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki'].map((suffix, at) => ({ suffix, unit: one * 1024n ** BigInt(6 - at) })),
]

/** The canonical text: equal amounts are written equally, with the suffix that leaves the fewest digits. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity < 0n) return `-${formatQuantity(-quantity)}`
  if (quantity === 0n) return '0'
  const texts = families.flatMap((family) => {
    const fit = family.find(({ unit }) => quantity % unit === 0n)
    return fit ? [{ digits: String(quantity / fit.unit), suffix: fit.suffix }] : []
  })
  const best = texts.reduce((left, right) => (right.digits.length < left.digits.length ? right : left))
  return best.digits + best.suffix
}

export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text))
}

export function compareQuantities(left: Quantity, right: Quantity): -1 | 0 | 1 {
  return left < right ? -1 : left > right ? 1 : 0
}

export function addQuantities(...quantities: readonly Quantity[]): Quantity {
  return quantities.reduce((sum, next) => sum + next, 0n)
}

/** Whole units (bytes, cores), rounded up: an engine that counts in wholes must not give less than was asked for. */
export function wholeUnits(quantity: Quantity): bigint {
  return ceilDivide(quantity, one)
}

/** Thousandths (millicores), rounded up for the same reason. */
export function milliUnits(quantity: Quantity): bigint {
  return ceilDivide(quantity, 1_000_000n)
}

function ceilDivide(value: bigint, by: bigint): bigint {
  const floor = value / by
  return value > 0n && value % by !== 0n ? floor + 1n : floor
}

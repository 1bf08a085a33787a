/** Small valid things that workloads are made of. */
import fc from 'fast-check'

/** Any name that the grammar allows, the longest and those with dashes among them. */
export const arbitraryName: fc.Arbitrary<string> = fc
  .stringMatching(/^[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?$/)
  .filter((name) => !name.startsWith('xn--'))

export const arbitraryPortName: fc.Arbitrary<string> = fc.stringMatching(/^[a-z](?:[-a-z0-9]{0,13}[a-z0-9])?$/)

export const arbitraryLabels: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.stringMatching(/^(?:[a-z]{1,8}\.example\/)?[A-Za-z][-._A-Za-z0-9]{0,20}[A-Za-z0-9]$/),
  fc.stringMatching(/^(?:[A-Za-z0-9](?:[-._A-Za-z0-9]{0,20}[A-Za-z0-9])?)?$/),
  { maxKeys: 4, noNullPrototype: true },
)

/** Text with all that a value may hold: several lines, quotes, other alphabets; no control characters. */
export const arbitraryText: fc.Arbitrary<string> = fc.stringMatching(/^[ -~\n\tà-žΑ-ωあ-ん]{0,40}$/u)

export const arbitraryQuantity: fc.Arbitrary<string | number> = fc.oneof(
  fc.integer({ min: 1, max: 64 }),
  fc.constantFrom(0.5, 1.25),
  fc
    .tuple(fc.integer({ min: 1, max: 4096 }), fc.constantFrom('m', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', '.5', ''))
    .map(([amount, suffix]) => `${amount}${suffix}`),
)

export const arbitraryPath: fc.Arbitrary<string> = fc
  .array(fc.stringMatching(/^[a-z0-9][-._a-z0-9]{0,10}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`)

/** Leaves a field out as often as it has it. */
export function sometimes<Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true })
}

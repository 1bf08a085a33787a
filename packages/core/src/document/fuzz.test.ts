import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { isFault } from '../fault.ts'
import { parseObjects } from '../kinds/parse-objects.ts'
import { parseObject } from '../kinds/registry.ts'
import { workloadKind } from '../kinds/workload/workload.ts'
import { arbitraryWorkloadDocument } from '../testing/arbitrary-workload.ts'
import { parseDocuments } from './parse-documents.ts'

/** The answer, or the `invalid` fault; anything else that is thrown fails the test. */
function invalidOr<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isFault(error, 'invalid')) throw error
    expect(error.message).not.toBe('')
    expect(error.message.length).toBeLessThan(2000)
    return undefined
  }
}

/** Text that is made of what YAML is made of. */
const yamlish = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b:', ': ', '- ', '? ', '\n', '  ', '\t', '[', ']', '{', '}', ',', '#', '|', '>', '"', "'"),
      fc.constantFrom(
        '&a ',
        '*a',
        '!',
        '!!str ',
        '%YAML 1.1\n',
        '---\n',
        '...\n',
        '<<: ',
        '~',
        '\\',
        '\\x',
        '\r',
        '@',
        '`',
      ),
      fc.constantFrom('__proto__: ', '\0', '\ufeff', '1e999', '.inf', '0x1F', '\u2028', '|2-\n', '>+\n', '"\\ud800"'),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

/** A valid document, with pieces of it taken out, doubled or replaced. */
const mutated = fc
  .tuple(arbitraryWorkloadDocument, fc.array(fc.tuple(fc.nat(), fc.nat(40), yamlish), { maxLength: 3 }), fc.boolean())
  .map(([document, cuts, json]) =>
    cuts.reduce(
      (text, [at, length, inserted]) => {
        const start = at % (text.length + 1)
        return text.slice(0, start) + inserted + text.slice(start + length)
      },
      json ? JSON.stringify(document) : stringify(document),
    ),
  )

describe('whatever the text is', () => {
  it.each<[string, fc.Arbitrary<string | Uint8Array>, number]>([
    ['any text', fc.string({ unit: 'binary', maxLength: 400 }), 1000],
    ['any bytes', fc.uint8Array({ maxLength: 400 }), 500],
    ['something like YAML', yamlish, 4000],
    ['any JSON', fc.json(), 500],
    ['a valid document that was damaged', mutated, 500],
  ])('reading it ends in objects or in an invalid fault: %s', (_, text, numRuns) => {
    fc.assert(
      fc.property(text, (source) => {
        invalidOr(() => parseDocuments(source))
        invalidOr(() => parseObjects(source))
      }),
      { numRuns },
    )
  })

  it('what was read as JSON data is what a JSON parser reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const read = invalidOr(() => parseDocuments(text))
        if (read !== undefined && read.length > 0) expect(read[0]?.value).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('whatever the value is', () => {
  it('checking it ends in issues with paths, or in an object', () => {
    const envelope = fc.record(
      {
        apiVersion: fc.constantFrom('gantry/v1', 'v1', 1),
        kind: fc.constantFrom('Workload', 'workload', 'constructor', null),
        metadata: fc.oneof(fc.constant({ name: 'x' }), fc.anything()),
        spec: fc.oneof(fc.record({ services: fc.array(fc.anything()), strategy: fc.anything() }), fc.anything()),
      },
      { requiredKeys: [] },
    )
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
    fc.assert(
      fc.property(fc.oneof(anything, envelope), (value) => {
        invalidOr(() => parseObject(value))
        const issues = workloadKind.check(value)
        const parsed = invalidOr(() => workloadKind.parse(value))
        expect(parsed === undefined).toBe(issues.length > 0)
        for (const { path, message } of issues) expect([typeof path, message === '']).toEqual(['string', false])
      }),
      { numRuns: 2000 },
    )
  })

  it('a valid workload in which one value was replaced is refused or understood, never broken', () => {
    fc.assert(
      fc.property(arbitraryWorkloadDocument, fc.nat(), fc.anything(), (document, at, value) => {
        const copy: unknown = structuredClone(document)
        const places = [...everyPlace(copy)]
        const place = places[at % places.length]
        place?.(value)
        invalidOr(() => parseObject(copy))
      }),
      { numRuns: 500 },
    )
  })
})

/** A setter for every field and entry, however deep. */
function* everyPlace(value: unknown): Generator<(replacement: unknown) => void> {
  if (typeof value !== 'object' || value === null) return
  const holder = value as Record<string, unknown>
  for (const key of Object.keys(holder)) {
    yield (replacement) => {
      holder[key] = replacement
    }
    yield* everyPlace(holder[key])
  }
}

/** Values that are nearly right: a valid one with one thing changed, taken away, or added somewhere inside. */
import fc from 'fast-check'

type Path = readonly (string | number)[]

/** What people and fuzzers put where something else belongs; each has caught one validator or another. */
const oddities: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e300,
  Number.MAX_VALUE,
  5e-324,
  '',
  ' ',
  '0',
  'true',
  'a',
  'A',
  'a\n',
  '\n',
  'é',
  '\u{1f600}',
  '\ud800',
  '\u0000',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00Z',
  '::1',
  '::1%eth0',
  '256.0.0.1',
  '1e999',
  '/../',
  [],
  [null],
  [[]],
  {},
  { '': '' },
  { constructor: {} },
]

/** At, just below and just above the lengths that schemas have; of letters that have one unit and of those with two. */
const lengths = [1, 15, 16, 39, 40, 41, 63, 64, 100, 128, 200, 201, 253, 254, 512, 513, 4096, 4097]
const texts = lengths.flatMap((length) => ['a'.repeat(length), '\u{1f600}'.repeat(Math.ceil(length / 2))])

const replacement = fc.oneof(
  fc.constantFrom(...oddities),
  fc.constantFrom(...texts),
  fc.jsonValue({ maxDepth: 2 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const key = fc.oneof(
  fc.constantFrom('name', 'kind', 'spec', 'type', 'constructor', 'toString', '', ' ', 'a b', '0', 'é'),
  fc.string({ maxLength: 8 }),
)

/** A valid value with up to three such changes. */
export function nearly<T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(fc.tuple(fc.nat(), replacement, key, fc.nat({ max: 4 })), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) =>
      changes.reduce((changed: unknown, [where, next, name, how]) => {
        const paths = pathsOf(changed)
        const path = paths[where % paths.length] ?? []
        if (how === 0) return remove(changed, path)
        if (how === 1) return add(changed, path, name, next)
        return replace(changed, path, next)
      }, plain(value)),
    )
}

/** As it would have come over the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, at) => pathsOf(item, [...path, at]))]
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, item]) => pathsOf(item, [...path, name]))]
}

function replace(value: unknown, path: Path, next: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return next
  if (Array.isArray(value)) return value.map((item, at) => (at === first ? replace(item, rest, next) : item))
  return fromEntries(entries(value).map(([name, item]) => [name, name === first ? replace(item, rest, next) : item]))
}

function remove(value: unknown, path: Path): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (rest.length > 0) return replace(value, [first], remove(at(value, first), rest))
  if (Array.isArray(value)) return value.filter((_, index) => index !== first)
  return fromEntries(entries(value).filter(([name]) => name !== first))
}

function add(value: unknown, path: Path, name: string, next: unknown): unknown {
  const target = path.reduce(at, value)
  if (Array.isArray(target)) return replace(value, path, [...target, next])
  if (typeof target !== 'object' || target === null) return replace(value, path, next)
  return replace(value, path, fromEntries([...entries(target), [name, next]]))
}

function at(value: unknown, part: string | number): unknown {
  return (value as Record<string | number, unknown>)[part]
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(value as object)
}

function fromEntries(list: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(list)
}

import { describe, expect, it } from 'vitest'
import { isFault } from '../fault.ts'
import { documentLimits } from './limits.ts'
import { envIsText, parseDocuments } from './parse-documents.ts'
import type { Replace } from './yaml-replace.ts'

const values = (text: string | Uint8Array): unknown[] => parseDocuments(text).map(({ value }) => value)

function refusal(text: string | Uint8Array) {
  try {
    parseDocuments(text)
  } catch (error) {
    if (isFault(error, 'invalid')) return { reason: error.reason, message: error.message, issues: error.issues }
    throw error
  }
  throw new Error('it was accepted')
}

describe('reading documents', () => {
  it.each<[string, string, unknown[]]>([
    ['YAML', 'a: 1\nb: [x, true, null, 1.5]\n', [{ a: 1, b: ['x', true, null, 1.5] }]],
    ['JSON', '{"a": {"b": ["\\u00e9", "\\ud83d\\ude00", 1e3]}}', [{ a: { b: ['é', '😀', 1000] } }]],
    ['JSON indented by tabs', '{\n\t"a": [\n\t\t1\n\t]\n}', [{ a: [1] }]],
    ['several documents', 'a: 1\n---\nb: 2\n...\n---\nc: 3\n', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['empty documents', '---\n---\n# nothing\n---\na: 1\n', [{ a: 1 }]],
    ['nothing', '', []],
    ['a comment', '# only this\n', []],
    ['lines that end as on Windows', 'a: 1\r\nb: 2\r\n', [{ a: 1, b: 2 }]],
    ['a byte order mark', '\ufeffa: 1\n', [{ a: 1 }]],
    ['block text', 'a: |\n  x\n  y\n', [{ a: 'x\ny\n' }]],
    [
      'words that older YAML took for something else',
      'a: yes\nb: on\nc: 012\nd: 1:30\n',
      [{ a: 'yes', b: 'on', c: 12, d: '1:30' }],
    ],
    ['what looks like a date as text', 'a: 2026-01-01\n', [{ a: '2026-01-01' }]],
    ['a few aliases', 'a: &x {b: 1}\nc: *x\n', [{ a: { b: 1 }, c: { b: 1 } }]],
    ['a merge key as a plain key', 'a: 1\n<<: {b: 2}\n', [{ a: 1, '<<': { b: 2 } }]],
  ])('takes %s', (_, text, expected) => {
    expect(values(text)).toEqual(expected)
    expect(values(new TextEncoder().encode(text))).toEqual(expected)
  })

  it('knows the line of every path, also of one that is not there', () => {
    const [first, second] = parseDocuments('a: 1\nb:\n  c:\n    - x\n    - y: 2\n---\nz: 1\n')
    expect(first?.lineOf(['a'])).toBe(1)
    expect(first?.lineOf(['b', 'c'])).toBe(3)
    expect(first?.lineOf(['b', 'c', 0])).toBe(4)
    expect(first?.lineOf(['b', 'c', 1, 'y'])).toBe(5)
    expect(first?.lineOf(['b', 'c', 1, 'missing', 'more'])).toBe(5)
    expect(first?.lineOf([])).toBe(1)
    expect(second?.lineOf(['z'])).toBe(7)
  })
})

describe('a document that cannot be read', () => {
  it.each<[string, string, { path?: string; message: RegExp; line: number }]>([
    ['a broken one', 'a: 1\nb: [1, 2\n', { message: /./, line: 3 }],
    ['the same key twice', 'a: 1\nb:\n  c: 1\n  c: 2\n', { path: 'b.c', message: /is there twice/, line: 4 }],
    ['the same key twice in JSON', '{"a": 1,\n "a": 2}', { path: 'a', message: /is there twice/, line: 2 }],
    ['a tag', 'a: 1\nb: !!binary aGk=\n', { path: 'b', message: /tag/, line: 2 }],
    ['a tag of its own', 'a: !ruby/object x\n', { path: 'a', message: /tag/, line: 1 }],
    ['a tag on a key', '!!str a: 1\n', { path: 'a', message: /tag/, line: 1 }],
    ['a set', 'a: !!set {x}\n', { path: 'a', message: /tag/, line: 1 }],
    ['a key that is a list', '? [a]\n: 1\n', { path: '', message: /key/, line: 1 }],
    ['a key that is a number', 'a:\n  1: x\n', { path: 'a', message: /key/, line: 2 }],
    ['a key that is nothing', '~: x\n', { path: '', message: /key/, line: 1 }],
    ['not a number', 'a: 1\nb: .nan\n', { path: 'b', message: /finite/, line: 2 }],
    ['infinity', 'a: -.inf\n', { path: 'a', message: /finite/, line: 1 }],
    ['a number beyond all numbers', 'a: 1e400\n', { path: 'a', message: /finite/, line: 1 }],
    ['a whole number that would be rounded', 'a: 9007199254740993\n', { path: 'a', message: /quotes/, line: 1 }],
    ['the prototype', 'a:\n  __proto__: {x: 1}\n', { path: 'a.__proto__', message: /key/, line: 2 }],
    ['a constructor', 'a: {constructor: {}}\n', { path: 'a.constructor', message: /key/, line: 1 }],
    ['a prototype', 'prototype: 1\n', { path: 'prototype', message: /key/, line: 1 }],
    ['an escaped NUL', 'a: 1\nb: "x\\0"\n', { path: 'b', message: /\\u0000/, line: 2 }],
    ['an escaped control character in a key', '"a\\x1b": 1\n', { path: '["a\\u001b"]', message: /\\u001b/, line: 1 }],
    ['half of a character', 'a: "\\ud800"\n', { path: 'a', message: /\\ud800/, line: 1 }],
    ['a NUL', 'a: 1\nb: \0\n', { path: '', message: /\\u0000/, line: 2 }],
    ['a raw control character', 'a: 1\n\nb: "\u001b[2J"\n', { path: '', message: /\\u001b/, line: 3 }],
    ['an alias of nothing', 'a: 1\nb: *nobody\n', { path: 'b', message: /nobody/, line: 2 }],
    ['an alias inside itself', 'a: &x [*x]\n', { message: /./, line: 1 }],
  ])('is told with path and line: %s', (_, text, { path, message, line }) => {
    const { reason, issues } = refusal(text)
    expect(reason).toBe('bad_document')
    expect(issues[0]).toMatchObject({
      ...(path !== undefined && { path }),
      line,
      message: expect.stringMatching(message),
    })
  })

  it('is told with everything that is wrong with it at once', () => {
    const { issues, message } = refusal('a: 1\na: 2\nb: !!binary x\n---\nc: .nan\nc: 1\n')
    expect(issues.map(({ line }) => line)).toEqual([2, 3, 6])
    expect(message).toContain('(and 2 more)')
  })

  it('is told to be saved as UTF-8 if it is not', () => {
    expect(refusal(Uint8Array.of(0x61, 0x3a, 0x20, 0xff)).message).toContain('UTF-8')
    expect(refusal(Uint8Array.of(0xff, 0xfe, 0x61, 0x00)).message).toContain('UTF-8')
  })
})

describe('a document that asks for too much', () => {
  const mebibyte = 1024 * 1024
  const bomb = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(8)}*a${at}]`).join('\n')}\n`

  it.each<[string, string]>([
    ['10 MB of text', `a: "${'x'.repeat(10_000_000)}"`],
    ['10 MB of JSON', JSON.stringify({ a: Array.from({ length: 900_000 }, () => 'xxxxxxxx') })],
    ['more pieces than are read', '- a\n'.repeat(mebibyte / 4)],
    ['a million commas', `[${'1,'.repeat(mebibyte / 2)}]`],
    ['a million empty lines', '\n'.repeat(mebibyte)],
    ['more documents than are read', '---\na\n'.repeat(documentLimits.documents + 1)],
    ['as many keys in one object', Array.from({ length: 100_000 }, (_, at) => `k${at}: 1`).join('\n')],
  ])('is refused: %s', (_, text) => {
    expect(refusal(text).reason).toBe('document_too_large')
  })

  it.each<[string, string]>([
    ['1,000 lists in each other', '['.repeat(1000) + ']'.repeat(1000)],
    ['1,000 objects in each other', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`],
    ['1,000 indented keys', Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['1,000 dashes on a line', `${'- '.repeat(1000)}x`],
    ['1,000 question marks on a line', `${'? '.repeat(1000)}x`],
    ['a million brackets', '['.repeat(mebibyte)],
    ['a million braces', '{a: '.repeat(mebibyte / 4)],
    ['one level more than allowed', '['.repeat(documentLimits.depth + 1) + ']'.repeat(documentLimits.depth + 1)],
  ])('is refused: %s', (_, text) => {
    expect(refusal(text).issues[0]?.message).toContain(`nested more than ${documentLimits.depth} deep`)
  })

  it.each<[string, string]>([
    ['an alias bomb', bomb],
    [
      'an alias bomb that stays under the number of aliases',
      'a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n',
    ],
    ['more aliases than allowed', `a: &a x\nb: [${'*a, '.repeat(documentLimits.aliases + 1)}]\n`],
  ])('is refused: %s', (_, text) => {
    expect(refusal(text).reason).toBe('bad_document')
  })

  it('is accepted as long as it is within the limits', () => {
    const deep = '['.repeat(documentLimits.depth) + ']'.repeat(documentLimits.depth)
    expect(values(deep)).toHaveLength(1)
    expect(values(`a: "${'x'.repeat(2 * mebibyte)}"`)).toHaveLength(1)
    expect(values(Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n'))).toHaveLength(1)
  })

  it('does not grow the list of what is wrong without end', () => {
    expect(refusal('a: 1\n'.repeat(5000)).issues).toHaveLength(documentLimits.issues)
  })
})

describe('texts that stand for others', () => {
  const replace: Replace = ({ text, plain }) => (text === 'SEVEN' ? (plain ? 7 : '7') : text.replace('WHO', 'a: b # c'))
  const read = (text: string) => parseDocuments(text, { replace, textAt: envIsText }).map(({ value }) => value)

  it('are values like any other, whatever is in them', () => {
    expect(read('{ a: SEVEN, b: "SEVEN", env: { N: SEVEN } } # SEVEN')).toEqual([{ a: 7, b: '7', env: { N: '7' } }])
    expect(read('greeting: hello WHO')).toEqual([{ greeting: 'hello a: b # c' }])
  })

  it('are keys too, which are there once', () => {
    expect(read('WHO: 1')).toEqual([{ 'a: b # c': 1 }])
    expect(() => read('SEVEN: 1\n"7": 2')).toThrow('is there twice')
  })
})

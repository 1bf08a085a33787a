import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findings, toIssue } from './issues.ts'

function issuesOf(schema: z.ZodType, input: unknown, reserved = {}) {
  const { error } = schema.safeParse(input)
  return error ? findings(error, { schema, input, reserved }).map(toIssue) : []
}

describe('what a schema found, in words', () => {
  const either = z.union([z.strictObject({ port: z.int() }), z.strictObject({ command: z.array(z.string()).min(1) })])

  it.each<[string, z.ZodType, unknown, [string, string][]]>([
    ['a missing field', z.strictObject({ a: z.string() }), {}, [['a', 'is required']]],
    [
      'an empty field',
      z.strictObject({ a: z.boolean() }),
      { a: null },
      [['a', 'is empty; write true or false, or leave it out']],
    ],
    ['a wrong type', z.array(z.int()), [1, 'x'], [['[1]', 'must be a number, not "x"']]],
    ['part of a number', z.int(), 1.5, [['', 'must be a whole number, not the number 1.5']]],
    ['a list for an object', z.strictObject({}), [], [['', 'must be an object, not a list']]],
    ['too small', z.int().min(3), 2, [['', 'must be at least 3']]],
    ['too large', z.int().max(3), 4, [['', 'must be at most 3']]],
    ['too long', z.string().max(3), 'abcd', [['', 'must have at most 3 characters']]],
    ['too short', z.string().min(1), '', [['', 'must not be empty']]],
    ['too many', z.array(z.int()).max(1), [1, 2], [['', 'must have at most 1 entry']]],
    ['too few', z.array(z.int()).min(2), [1], [['', 'must have at least 2 entries']]],
    [
      'a wrong word',
      z.enum(['drain', 'restart']),
      'drian',
      [['', 'must be one of drain, restart, not "drian"; did you mean "drain"?']],
    ],
    [
      'a wrong key',
      z.record(z.string().regex(/^a/, 'must begin with a'), z.string()),
      { b: 'x' },
      [['b', 'must begin with a']],
    ],
    [
      'a wrong value beside a key',
      z.record(z.string(), z.int()),
      { 'b.c': 'x' },
      [['["b.c"]', 'must be a number, not "x"']],
    ],
    ['none of several types', z.union([z.string(), z.int()]), [], [['', 'must be text or a number, not a list']]],
    ['the wrong one of several shapes', either, { port: 'x' }, [['port', 'must be a number, not "x"']]],
    [
      'an unknown field of several shapes',
      either,
      { prot: 1, port: 2 },
      [['prot', 'is not a field here; did you mean "port"?']],
    ],
    ['a shape with a mistake inside', either, { command: [] }, [['command', 'must have at least 1 entry']]],
    ['a long text, cut', z.enum(['a']), 'x'.repeat(99), [['', `must be a, not "${'x'.repeat(40)}…"`]]],
  ])('%s', (_, schema, input, issues) => {
    expect(issuesOf(schema, input)).toEqual(issues.map(([path, message]) => ({ path, message })))
  })

  it('finds the nearest name through defaults, optionals, lists and records', () => {
    const inner = z.strictObject({ weight: z.int().optional() })
    const schema = z.strictObject({
      list: z.array(inner).optional(),
      table: z.record(z.string(), inner).default({}),
      either: z.union([inner, z.string()]).prefault({}),
    })
    const wrong = { wieght: 1 }
    const hint = 'is not a field here; did you mean "weight"?'
    expect(issuesOf(schema, { list: [wrong], table: { x: wrong }, either: wrong })).toEqual([
      { path: 'list[0].wieght', message: hint },
      { path: 'table.x.wieght', message: hint },
      { path: 'either.wieght', message: hint },
    ])
  })

  it('says of a reserved name that it is one', () => {
    const schema = z.strictObject({ a: z.strictObject({}) })
    expect(issuesOf(schema, { a: { b: 1 } }, { 'a.b': 'b comes later' })).toEqual([
      { path: 'a.b', message: 'is reserved: b comes later' },
    ])
  })

  it('does not go on without end', () => {
    expect(issuesOf(z.array(z.int()), Array(5000).fill('x'))).toHaveLength(100)
  })
})

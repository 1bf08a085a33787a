import { faces } from '@gantry/core'
import { type JsonSchema, objectSchema } from '@gantry/core/schemas'
import { describe, expect, it } from 'vitest'
import { plain } from '../../output/style.ts'
import { fieldAt, fieldsOf } from './field.ts'
import { fieldText, treeText } from './text.ts'
import { defaultWords, typeWords } from './type-words.ts'

const schema: JsonSchema = {
  type: 'object',
  required: ['list'],
  properties: {
    list: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string', description: 'Its name' } } },
    },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    either: {
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'integer' } } },
      ],
    },
  },
}

describe('a field', () => {
  it('is found through lists, maps and alternatives', () => {
    const type = (...path: string[]) => typeWords(fieldAt(schema, 'thing', path).schema)
    expect(type('list', 'name')).toBe('string')
    expect(type('map', 'anything')).toBe('string')
    expect([type('either', 'a'), type('either', 'b')]).toEqual(['string', 'integer'])
    expect(fieldsOf({ schema }).map(({ name, isRequired }) => `${name} ${isRequired}`)).toEqual([
      'list true',
      'map false',
      'either false',
    ])
  })

  it.each([
    [['lst'], 'thing has no field "lst"; did you mean "thing.list"?'],
    [['xyzzy'], 'there are list, map, either'],
    [['list', 'name', 'x'], 'thing.list.name has no field "x"; there are none below it'],
    [['constructor'], 'thing has no field "constructor"'],
    [['map', ''], 'has no field ""'],
  ])('%j is refused with what was meant', (path, text) => {
    expect(() => fieldAt(schema, 'thing', path)).toThrow(text)
  })

  it.each([
    [{ type: 'string' }, 'string'],
    [{ enum: ['a', 'b', ''] }, 'a | b'],
    [{ const: 'gantry/v1' }, 'gantry/v1'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'integer 1 to 9'],
    [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'integer from 0'],
    [{ type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: 3 }, 'number up to 3'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '[](a | b)'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] }, 'string | integer'],
    [{}, 'anything'],
  ] as [JsonSchema, string][])('%j is called %s', (one, words) => {
    expect(typeWords(one)).toBe(words)
  })

  it('has a default that is worth saying, or none', () => {
    expect([{}, { default: '' }, { default: [] }, { default: {} }].map(defaultWords)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([{ default: 'a' }, { default: 0 }, { default: false }, { default: ['/'] }].map(defaultWords)).toEqual([
      'a',
      '0',
      'false',
      '["/"]',
    ])
  })

  it.each(faces.map(({ kind }) => kind))('of a %s can be explained, each of them', (kind) => {
    const walk = (path: readonly string[]): number => {
      const field = fieldAt(objectSchema(kind), kind, path)
      expect(fieldText(field, 80, plain)).toContain(`${[kind, ...path].join('.')} <`)
      return path.length > 3 ? 1 : fieldsOf(field).reduce((sum, { name }) => sum + walk([...path, name]), 1)
    }
    expect(walk([])).toBeGreaterThan(10)
    expect(treeText(fieldAt(objectSchema(kind), kind, []), plain).split('\n').length).toBeGreaterThan(10)
  })
})

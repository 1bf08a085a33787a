// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a file look like this
import { envIsText, parseDocuments } from '@gantry/core/documents'
import { describe, expect, it } from 'vitest'
import { markVariables, type Variables } from './variables.ts'

function read(source: string, values: Variables) {
  const { text, replace, missing } = markVariables(source, values)
  const [document] = parseDocuments(text, { replace, textAt: envIsText })
  return { value: document?.value, missing: missing() }
}

describe('variables of a file', () => {
  it.each<[string, string, Variables, unknown]>([
    ['inside of a text', 'image: app:${TAG}', { TAG: '1.2' }, { image: 'app:1.2' }],
    ['several in one', 'a: ${A}-${B}', { A: '1', B: '2' }, { a: '1-2' }],
    ['in a map of one line', 'env: { A: ${A} }', { A: 'x' }, { env: { A: 'x' } }],
    ['as a key', '${A}: 1', { A: 'x' }, { x: 1 }],
    ['a number where one is meant', 'replicas: ${N}', { N: '3' }, { replicas: 3 }],
    ['a boolean where one is meant', 'retain: ${R}', { R: 'false' }, { retain: false }],
    ['a text in quotes', 'tag: "${N}"', { N: '3' }, { tag: '3' }],
    ['a text in an environment', 'env: { V: ${V} }', { V: '3.10' }, { env: { V: '3.10' } }],
    ['nothing', 'a: ${A}', { A: '' }, { a: '' }],
    ['itself when escaped', 'a: $${A} and ${A}', { A: 'x' }, { a: '${A} and x' }],
    ['not what is none', 'a: ${1} $A ${', {}, { a: '${1} $A ${' }],
  ])('are replaced: %s', (_, source, values, value) => {
    expect(read(source, values)).toEqual({ value, missing: [] })
  })

  it('cannot change what the file is made of', () => {
    const evil = 'x\nkind: Tenant # "\' }'
    expect(read('a: ${A}\nb: { c: ${A} }', { A: evil }).value).toEqual({ a: evil, b: { c: evil } })
  })

  it('that are missing are all named with their line, and comments are left alone', () => {
    const { missing } = read('# ${NOT}\na: ${ONE}\nb: ["${TWO}"]\nc: ${toString}', {})
    expect(missing).toEqual([
      { name: 'ONE', line: 2 },
      { name: 'TWO', line: 3 },
      { name: 'toString', line: 4 },
    ])
  })

  it('are not confused with words of the file', () => {
    expect(read('a: gantryVariable0z ${A}', { A: 'x' }).value).toEqual({ a: 'gantryVariable0z x' })
  })
})

import { describe, expect, it } from 'vitest'
import type { Written } from '../../objects/written.ts'
import { editorOf, words } from './editor.ts'
import { bodyOf, editText, readBody } from './text.ts'

const written: Written = {
  apiVersion: 'gantry/v1',
  kind: 'Route',
  metadata: { name: 'shop', tenant: 'default' },
  spec: { hosts: ['a'] },
}

describe('the editor', () => {
  it.each([
    [{}, ['vi']],
    [{ EDITOR: 'nano' }, ['nano']],
    [{ EDITOR: 'nano', VISUAL: 'code --wait' }, ['code', '--wait']],
    [{ EDITOR: 'nano', VISUAL: 'code', GANTRY_EDITOR: 'ed' }, ['ed']],
    [{ EDITOR: '  ' }, ['vi']],
    [{ EDITOR: '"/opt/my editor/bin" -n' }, ['/opt/my editor/bin', '-n']],
    [{ EDITOR: "sh -c 'vi; rm'" }, ['sh', '-c', 'vi; rm']],
    [{ EDITOR: 'vi;rm -rf $HOME' }, ['vi;rm', '-rf', '$HOME']],
  ])('of %j is an argument list', (env, list) => {
    expect(editorOf(env)).toEqual(list)
  })

  it('keeps quoted parts of a word together', () => {
    expect(words(`a"b c"d '' "x"`)).toEqual(['ab cd', '', 'x'])
  })
})

describe('the text that is edited', () => {
  it('is found again below what was said above it', () => {
    const body = 'kind: Route\n# a comment of theirs\nspec: {}\n'
    const wrong = {
      message: 'two\nlines',
      issues: [
        { path: 'spec.hosts', message: 'is required' },
        { path: '', message: 'is odd' },
      ],
    }
    const text = editText(body, wrong)
    expect(text).toContain('# Not written: two\n# lines\n#   spec.hosts: is required\n#   the object: is odd\n')
    expect(bodyOf(text)).toBe(body)
    expect(bodyOf(editText(body))).toBe(body)
    expect(bodyOf('# only\n# comments')).toBe('')
  })

  it('must stay the same object', async () => {
    const body = (kind: string, name: string, more = '') =>
      `apiVersion: gantry/v1\nkind: ${kind}\nmetadata: {name: ${name}${more}}\nspec: {hosts: [b]}\n`
    await expect(readBody(body('Route', 'shop'), written)).resolves.toMatchObject({ spec: { hosts: ['b'] } })
    await expect(readBody(body('Route', 'shop', ', tenant: default'), written)).resolves.toBeDefined()
    await expect(readBody(body('Workload', 'shop'), written)).rejects.toMatchObject({ issues: [{ path: 'kind' }] })
    await expect(readBody(body('Route', 'other'), written)).rejects.toMatchObject({
      issues: [{ path: 'metadata.name' }],
    })
    await expect(readBody(body('Route', 'shop', ', tenant: acme'), written)).rejects.toMatchObject({
      issues: [{ path: 'metadata.tenant' }],
    })
    await expect(readBody(`${body('Route', 'shop')}---\n${body('Route', 'shop')}`, written)).rejects.toThrow(
      'one object',
    )
    await expect(readBody('just text', written)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(readBody('a: [', written)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

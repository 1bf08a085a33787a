import { describe, expect, it } from 'vitest'
import type { Globals } from '../command/global-flags.ts'
import { choose, usualServer } from './choose.ts'
import type { Contexts } from './contexts.ts'

const file = 'contexts.json'
const contexts: Contexts = {
  current: 'local',
  contexts: {
    local: { server: 'http://127.0.0.1:7400', token: 'local-token' },
    work: { server: 'https://work.example', token: 'work-token', tenant: 'acme' },
  },
}
const none: Globals = { noColor: false, verbose: false, help: false }
const chosen = (globals: Partial<Globals>, env: Record<string, string> = {}, known: Contexts = contexts) =>
  choose({ ...none, ...globals }, env, known, file)

describe('which server is asked', () => {
  it('is the usual one if nobody says anything', () => {
    const { server, token, tenant, from } = chosen({}, {}, { contexts: {} })
    expect({ server, token, tenant }).toEqual({ server: usualServer, token: undefined, tenant: 'default' })
    expect(from).toContain(file)
  })

  it('is the one of the context that is current', () => {
    expect(chosen({})).toEqual({
      server: 'http://127.0.0.1:7400',
      token: 'local-token',
      tenant: 'default',
      from: `context local of ${file}`,
    })
  })

  it('is the one of the context that is named, with its tenant', () => {
    const expected = {
      server: 'https://work.example',
      token: 'work-token',
      tenant: 'acme',
      from: `context work of ${file}`,
    }
    expect(chosen({ context: 'work' })).toEqual(expected)
    expect(chosen({}, { GANTRY_CONTEXT: 'work' })).toEqual(expected)
  })

  it('is said by a flag before the environment, and by that before the file', () => {
    expect(chosen({ server: 'http://a' }, { GANTRY_SERVER: 'http://b' })).toMatchObject({
      server: 'http://a',
      from: '--server',
    })
    expect(chosen({}, { GANTRY_SERVER: 'http://b' })).toMatchObject({ server: 'http://b', from: '$GANTRY_SERVER' })
    expect(chosen({ context: 'work' }, { GANTRY_SERVER: 'http://b' }).server).toBe('https://work.example')
  })

  it('gets no token that is for another', () => {
    expect(chosen({ server: 'http://elsewhere' }).token).toBeUndefined()
    expect(chosen({ server: 'https://work.example/' }).token).toBe('work-token')
    expect(chosen({ context: 'work' }, { GANTRY_TOKEN: 'of-somebody' }).token).toBe('work-token')
    expect(chosen({ context: 'work', token: 'given' }).token).toBe('given')
    expect(chosen({}, { GANTRY_TOKEN: 'of-me' }).token).toBe('of-me')
  })

  it('is asked for the tenant of the flag, the environment, the context, and else the first', () => {
    expect(chosen({ tenant: 'a', context: 'work' }, { GANTRY_TENANT: 'b' }).tenant).toBe('a')
    expect(chosen({ context: 'work' }, { GANTRY_TENANT: 'b' }).tenant).toBe('b')
    expect(chosen({ context: 'work' }).tenant).toBe('acme')
    expect(chosen({}).tenant).toBe('default')
  })

  it('is never one of a context that there is not', () => {
    expect(() => chosen({ context: 'wrok' })).toThrow(`There is no context "wrok" in ${file}: did you mean "work"?`)
    expect(() => chosen({ context: 'x' }, {}, { contexts: {} })).toThrow('there are none')
    expect(() => chosen({ context: 'toString' })).toThrow('There is no context "toString"')
  })
})

describe('the token of a context', () => {
  it.each([
    ['a flag', { context: 'work', server: 'https://other.example' }, {}],
    ['a variable', {}, { GANTRY_CONTEXT: 'work', GANTRY_SERVER: 'https://other.example' }],
  ])('does not go to another server that %s names beside it', (_, globals, env) => {
    expect(chosen(globals, env)).toMatchObject({ server: 'https://other.example', token: undefined })
  })

  it('goes to the same server, however its address ends', () => {
    expect(chosen({ context: 'work', server: 'https://work.example/' })).toMatchObject({ token: 'work-token' })
  })
})

describe('a variable that is empty', () => {
  it('is as good as none', () => {
    const empty = { GANTRY_CONTEXT: '', GANTRY_SERVER: '', GANTRY_TENANT: '', GANTRY_TOKEN: '' }
    expect(chosen({}, empty)).toEqual(chosen({}))
  })
})

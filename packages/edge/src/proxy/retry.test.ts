import { describe, expect, it } from 'vitest'
import { type Attempt, verdictOn } from './retry.ts'

const reset = Object.assign(new Error(), { code: 'UND_ERR_SOCKET' })
const base: Attempt = { method: 'GET', hasBody: false, sent: true, reused: true, answered: false, error: reset }

describe('after a backend did not answer', () => {
  it.each<[string, Partial<Attempt>, ReturnType<typeof verdictOn>]>([
    [
      'nothing was sent, so anyone may get it',
      { sent: false, method: 'POST', hasBody: true },
      at('connect', 'elsewhere'),
    ],
    ['nothing was sent in time', { sent: false, error: coded('UND_ERR_CONNECT_TIMEOUT') }, at('timeout', 'elsewhere')],
    ['a used connection was reset under a GET', {}, at('reset', 'fresh')],
    ['the same under a DELETE', { method: 'DELETE' }, at('reset', 'fresh')],
    ['the same under a PUT that has a body', { method: 'PUT', hasBody: true }, at('reset', 'no')],
    ['the same under a POST', { method: 'POST' }, at('reset', 'no')],
    ['the same under a PATCH', { method: 'PATCH' }, at('reset', 'no')],
    ['the same under a method nobody knows', { method: 'BREW' }, at('reset', 'no')],
    ['a new connection was reset', { reused: false }, at('reset', 'no')],
    ['the answer had begun', { answered: true }, at('reset', 'no')],
    ['it took too long', { error: coded('UND_ERR_HEADERS_TIMEOUT') }, at('timeout', 'no')],
    ['it answered nonsense', { error: coded('HPE_INVALID_CONSTANT') }, at('bad_answer', 'no')],
  ])('%s', (_, attempt, verdict) => {
    expect(verdictOn({ ...base, ...attempt })).toEqual(verdict)
  })
})

function at(reason: ReturnType<typeof verdictOn>['reason'], retry: ReturnType<typeof verdictOn>['retry']) {
  return { reason, retry }
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code })
}

import { describe, expect, it } from 'vitest'
import { headLines, questionText } from './question-text.ts'

const lines = headLines('k:6443', { headers: { authorization: 'Bearer t', 'impersonate-group': ['a', 'b'] } })

describe('a question', () => {
  it('says where it goes and who asks', () => {
    expect(questionText({ method: 'GET', path: '' }, '/api', lines, undefined)).toBe(
      'GET /api HTTP/1.1\r\nhost: k:6443\r\nauthorization: Bearer t\r\nimpersonate-group: a\r\nimpersonate-group: b\r\naccept: application/json\r\n\r\n',
    )
  })

  it('counts its body in bytes', () => {
    const text = questionText(
      { method: 'POST', path: '', accept: 'x', contentType: 'y' },
      '/é'.replace('é', '%C3%A9'),
      '',
      '"é"',
    )
    expect(text).toBe('POST /%C3%A9 HTTP/1.1\r\naccept: x\r\ncontent-type: y\r\ncontent-length: 4\r\n\r\n"é"')
    expect(questionText({ method: 'PUT', path: '' }, '/', '', undefined)).toMatch(/content-length: 0\r\n\r\n$/)
  })

  it('cannot be made to say more than it does', () => {
    expect(() => questionText({ method: 'GET', path: '' }, '/a HTTP/1.1\r\nx: y', '', undefined)).toThrowError(
      /no path/,
    )
    expect(() => questionText({ method: 'GET', path: '' }, '/é', '', undefined)).toThrowError(/no path/)
    expect(() => headLines('k', { headers: { authorization: 'Bearer a\r\nx: y' } })).toThrowError(/authorization/)
    expect(() => headLines('k', { headers: { authorization: 'Bearer 日本' } })).toThrowError(/authorization/)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpLimits } from '../app/limits.ts'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'
import { exchange, requestOf } from '../testing/raw.ts'

let plane: Plane
let token: string

beforeAll(async () => {
  plane = await startPlane({ limits: { requestMs: 300, headersMs: 200, checkEveryMs: 50 } })
  await plane.client.tenants.put(tenantOf('shop'))
  token = (await plane.as('shop', 'operator')).token
})
afterAll(() => plane.dispose())

const path = '/v1/tenants/shop/workloads/slow'

/** It is told why, in the words of every other fault, and then there is an end. */
function expectTooSlow(answer: string): void {
  expect(answer).toMatch(/^HTTP\/1\.1 504 /)
  expect(answer).toContain('application/problem+json')
  expect(answer).toContain('"reason":"deadline_exceeded"')
}

describe('slow body', () => {
  it('of a route that takes one is cut off with the documented answer, and nothing of it is stored', async () => {
    const body = JSON.stringify(workloadOf('slow'))
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    }
    expectTooSlow(await exchange(plane.address, requestOf('PUT', path, headers, body.slice(0, -1))))
    expect((await plane.send('GET', path, { token })).status).toBe(404)
    const whole = await exchange(plane.address, requestOf('PUT', path, { ...headers, connection: 'close' }, body))
    expect(whole).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('of a stranger is not waited for', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '100', connection: 'close' }
    expect(await exchange(plane.address, requestOf('PUT', path, headers, '{'))).toMatch(/^HTTP\/1\.1 401 /)
    const { status } = await plane.send('PUT', path, { body: 'x'.repeat(8_000_000) })
    expect(status).toBe(401)
  })

  it('that says it is short and goes on is no second request', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '2' }
    const smuggled = `{}${requestOf('DELETE', path, { authorization: `Bearer ${token}`, 'transfer-encoding': 'x' })}`
    const answer = await exchange(plane.address, requestOf('PUT', path, headers, smuggled))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toMatch(/HTTP\/1\.1 2/)
    expect((await plane.send('GET', path, { token })).status).toBe(200)
  })
})

describe('slow headers', () => {
  it('are cut off with the documented answer', async () => {
    expectTooSlow(await exchange(plane.address, 'GET /v1/whoami HTTP/1.1\r\nHost: x\r\n'))
  })
})

describe('what is not HTTP', () => {
  it.each([
    ['noise', '\u0000\u0001\u0002\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
  ])('is told so and ended: %s', async (_, text) => {
    const answer = await exchange(plane.address, text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"reason":"bad_request"')
  })
})

describe('a body', () => {
  it('that is too large is told so', async () => {
    const got = await plane.send('PUT', path, { token, body: `"${'x'.repeat(httpLimits.bodyBytes)}"` })
    expect(got).toMatchObject({ status: 400, json: { reason: 'document_too_large' } })
  })
})

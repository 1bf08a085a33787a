import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'
import { exchange, requestOf } from '../testing/raw.ts'

let plane: Plane
let token: string

beforeAll(async () => {
  plane = await startPlane()
  await plane.client.tenants.put(tenantOf('shop'))
  token = (await plane.as('shop', 'operator')).token
})
afterAll(() => plane.dispose())

const socket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

describe('cross-site WebSocket', () => {
  it.each(['https://evil.example', 'null', 'http://gantry.example.evil.example', 'nonsense'])(
    'is refused at every address before it is asked who it is: from %s',
    async (origin) => {
      for (const path of ['/v1/whoami', '/v1/tenants/shop/workloads', '/healthz', '/v1/nowhere']) {
        const answer = await exchange(plane.address, requestOf('GET', path, { ...socket, origin }))
        expect(answer).toMatch(/^HTTP\/1\.1 403 /)
        expect(answer).toContain('"reason":"foreign_origin"')
      }
    },
  )

  it('has nothing to upgrade to where an address speaks HTTP alone, wherever it comes from', async () => {
    for (const headers of [socket, { ...socket, origin: 'http://gantry.example' }]) {
      const authorization = `Bearer ${token}`
      const answer = await exchange(plane.address, requestOf('GET', '/v1/whoami', { ...headers, authorization }))
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    }
  })
})

describe('a page of another site', () => {
  const path = '/v1/tenants/shop/workloads/x'

  it('changes nothing, even with a token that may', async () => {
    const send = (method: string, origin: string, body?: unknown) =>
      plane.send(method, path, { token, headers: { origin, host: 'gantry.example' }, ...(body ? { body } : {}) })
    const foreign = await send('PUT', 'https://evil.example', workloadOf('x'))
    expect(foreign).toMatchObject({ status: 403, json: { kind: 'forbidden', reason: 'foreign_origin' } })
    expect((await send('DELETE', 'null')).status).toBe(403)
    expect((await plane.send('GET', path, { token })).status).toBe(404)
    expect((await send('PUT', 'http://gantry.example', workloadOf('x'))).status).toBe(201)
  })

  it('is told nothing that would let it read an answer', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await plane.send(method, '/v1/whoami', { token, headers })
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('cannot send what a form can send', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const body = JSON.stringify(workloadOf('form'))
      const { status } = await plane.send('PUT', path, { token, body, headers: { 'content-type': type } })
      expect(status).toBe(400)
    }
  })
})

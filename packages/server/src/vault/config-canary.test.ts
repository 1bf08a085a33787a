import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { type Got, type Plane, startPlane, workloadOf } from '../testing/plane.ts'
import { findTraces } from './testing/traces.ts'

let plane: Plane
let folder: string
let token: string
const said: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-config-'))
  const logger = createLog({ write: (line) => said.push(line) })
  plane = await startPlane({ database: `sqlite:${join(folder, 'gantry.sqlite')}`, logger })
  token = (await plane.system()).token
})
afterAll(async () => {
  await plane.dispose()
  await rm(folder, { recursive: true, force: true })
})

const canary = (): Buffer => Buffer.from(randomBytes(18).toString('base64'))

const withFile = (name: string, content: string, more: object = {}) =>
  workloadOf(name, {
    services: [
      { name: 'web', image: 'app:1', configFiles: [{ name: 'app', path: '/etc/app.json', content, ...more }] },
    ],
  })

type Read = { readonly spec: { readonly services: { readonly configFiles: { readonly content: string }[] }[] } }
const contentIn = ({ json }: Got): string | undefined =>
  (json as unknown as Read).spec.services[0]?.configFiles[0]?.content

const at = '/v1/tenants/default/workloads'

async function files(): Promise<Buffer> {
  const names = await readdir(folder)
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))))
}

describe('the content of a config file', () => {
  it('is nowhere but in the vault: not in the database, the log, events, audit, plans or any answer', async () => {
    const planted = Array.from({ length: 5 }, canary)
    const json = (index: number): string => JSON.stringify({ key: planted[index]?.toString() })
    const seen: Got[] = []
    const send = async (method: string, path: string, body?: unknown): Promise<Got> => {
      const got = await plane.send(method, path, { token, ...(body !== undefined && { body }) })
      seen.push(got)
      return got
    }
    const put = await send('PUT', `${at}/a`, withFile('a', json(0), { format: 'json' }))
    expect(put.status).toBe(201)
    expect(contentIn(put)).toMatch(/^vault:[0-9a-f]{32}$/)
    const { spec } = withFile('a', json(1), { format: 'json' })
    expect((await send('PATCH', `${at}/a`, { spec })).status).toBe(200)
    expect((await send('PUT', `${at}/a`, withFile('a', `{${planted[2]}`, { format: 'json' }))).status).toBe(400)
    const objects = [withFile('a', json(3)), withFile('b', json(4))]
    const plan = await send('POST', '/v1/plan', { tenant: 'default', objects })
    expect(plan.status).toBe(200)
    const apply = { tenant: 'default', objects, plan: plan.json.hash }
    expect((await send('POST', '/v1/apply', apply)).status).toBe(200)
    for (const path of [at, `${at}/a`, `${at}/a/events`, '/v1/audit', '/v1/workloads']) await send('GET', path)
    await send('DELETE', `${at}/b`)
    const bytes = Buffer.concat([
      await files(),
      Buffer.from(said.join('')),
      ...seen.map(({ text }) => Buffer.from(text)),
    ])
    expect(bytes.includes('vault:')).toBe(true)
    for (const one of planted) expect(findTraces(bytes, one)).toEqual([])
  })

  it('may be sent again as the reference that was read, by the same file of the same workload alone', async () => {
    const content = contentIn(await plane.send('PUT', `${at}/c`, { token, body: withFile('c', 'one') })) ?? ''
    const again = await plane.send('PUT', `${at}/c`, { token, body: withFile('c', content) })
    expect(again).toMatchObject({ status: 200, json: { metadata: { generation: 1 } } })
    const stolen = await plane.send('PUT', `${at}/d`, { token, body: withFile('d', content) })
    expect(stolen).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'spec.services[0].configFiles[0].content' }] },
    })
    const objects = [withFile('e', content)]
    const applied = await plane.send('POST', '/v1/apply', { token, body: { tenant: 'default', objects } })
    expect(applied.json.issues).toMatchObject([{ path: 'objects[0].spec.services[0].configFiles[0].content' }])
  })

  it('that is written again as it was changes nothing, and one that differs does', async () => {
    const generation = async (content: string): Promise<unknown> => {
      const got = await plane.send('PUT', `${at}/f`, { token, body: withFile('f', content) })
      return (got.json.metadata as { generation: number }).generation
    }
    expect(await generation('one')).toBe(1)
    expect(await generation('one')).toBe(1)
    expect(await generation('two')).toBe(2)
    const objects = [withFile('f', 'two')]
    const { json } = await plane.send('POST', '/v1/plan', { token, body: { tenant: 'default', objects } })
    expect(json.steps).toMatchObject([{ action: 'keep' }])
  })
})

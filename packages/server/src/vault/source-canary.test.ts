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
  folder = await mkdtemp(join(tmpdir(), 'gantry-source-'))
  const logger = createLog({ write: (line) => said.push(line) })
  plane = await startPlane({ database: `sqlite:${join(folder, 'gantry.sqlite')}`, logger })
  token = (await plane.system()).token
})
afterAll(async () => {
  await plane.dispose()
  await rm(folder, { recursive: true, force: true })
})

const at = '/v1/tenants/default/workloads'
const reference = expect.stringMatching(/^vault:[0-9a-f]{32}$/)
const manifests = (name: string, text: string) =>
  workloadOf(name, { replicas: 1, services: [], source: { manifests: { text } } })
const chart = (name: string, helm: object) => workloadOf(name, { replicas: 1, services: [], source: { helm } })

async function send(method: string, path: string, body?: unknown): Promise<Got> {
  return await plane.send(method, path, { token, ...(body !== undefined && { body }) })
}

describe('what a source is made of', () => {
  it('is nowhere but in the vault: not in the database, the log, events, audit, plans or any answer', async () => {
    const planted = Array.from({ length: 6 }, () => Buffer.from(randomBytes(18).toString('hex')))
    const [text, archive, file, values, set, later] = planted.map(String)
    const seen: Got[] = []
    const ask = async (method: string, path: string, body?: unknown): Promise<Got> => {
      const got = await send(method, path, body)
      seen.push(got)
      return got
    }
    const whole = chart('b', {
      chart: { archive },
      valuesFiles: [`password: ${file}`],
      values: { db: { password: values, replicas: [null, 1] } },
      set: { 'db.password': set },
    })
    expect((await ask('PUT', `${at}/a`, manifests('a', `kind: Secret # ${text}`))).status).toBe(201)
    const put = await ask('PUT', `${at}/b`, whole)
    expect(put.status).toBe(201)
    expect((put.json.spec as { source: unknown }).source).toMatchObject({
      helm: {
        chart: { archive: reference },
        valuesFiles: [reference],
        values: reference,
        set: { 'db.password': reference },
      },
    })
    const objects = [manifests('a', `kind: Secret # ${later}`), whole]
    const plan = await ask('POST', '/v1/plan', { tenant: 'default', objects })
    expect(plan.json.steps).toMatchObject([{ action: 'update' }, { action: 'keep' }])
    const apply = { tenant: 'default', objects, plan: plan.json.hash }
    expect((await ask('POST', '/v1/apply', apply)).status).toBe(200)
    for (const path of [at, `${at}/a`, `${at}/b`, `${at}/b/events`, '/v1/audit']) await ask('GET', path)
    const names = await readdir(folder)
    const bytes = Buffer.concat([
      ...(await Promise.all(names.map((name) => readFile(join(folder, name))))),
      Buffer.from(said.join('')),
      ...seen.map((got) => Buffer.from(got.text)),
    ])
    expect(bytes.includes('vault:')).toBe(true)
    for (const one of planted) expect(findTraces(bytes, one)).toEqual([])
  })

  it('may be sent again as the references that were read, by the same workload alone', async () => {
    const body = chart('c', { chart: { path: '/charts/c' }, values: { a: 1 }, set: { b: 'x' }, valuesFiles: ['c: 1'] })
    const { json } = await send('PUT', `${at}/c`, body)
    const { source } = json.spec as { source: { helm: object } }
    const again = await send('PUT', `${at}/c`, chart('c', source.helm))
    expect(again).toMatchObject({ status: 200, json: { metadata: { generation: 1 } } })
    const same = await send('PUT', `${at}/c`, body)
    expect(same).toMatchObject({ status: 200, json: { metadata: { generation: 1 } } })
    const stolen = await send('PUT', `${at}/d`, chart('d', source.helm))
    expect(stolen.json.issues).toMatchObject([
      { path: 'spec.source.helm.valuesFiles[0]' },
      { path: 'spec.source.helm.values' },
      { path: 'spec.source.helm.set[b]' },
    ])
  })

  it('changes with a single value of many, which may be patched by itself', async () => {
    const helm = { chart: { path: '/charts/e' }, set: { a: '1', b: '2' } }
    await send('PUT', `${at}/e`, chart('e', helm))
    const patched = await send('PATCH', `${at}/e`, { spec: { source: { helm: { set: { b: '3' } } } } })
    expect(patched).toMatchObject({ status: 200, json: { metadata: { generation: 2 } } })
    const same = await send('PUT', `${at}/e`, chart('e', { ...helm, set: { a: '1', b: '3' } }))
    expect(same.json.metadata).toMatchObject({ generation: 2 })
  })

  it('may be a chart of three megabytes, and is refused beyond with its path', async () => {
    const bytes = 3 * 1024 * 1024
    const archive = Buffer.alloc(bytes, 7).toString('base64')
    expect((await send('PUT', `${at}/f`, chart('f', { chart: { archive } }))).status).toBe(201)
    const more = Buffer.alloc(bytes + 1, 7).toString('base64')
    const refused = await send('PUT', `${at}/g`, chart('g', { chart: { archive: more } }))
    expect(refused.status).toBe(400)
    expect(refused.json.issues).toMatchObject([{ path: 'spec.source.helm.chart.archive' }])
  })

  it('is not scaled, stopped, restarted or deployed by service, and each refusal says what to do', async () => {
    await send('PUT', `${at}/h`, manifests('h', 'kind: List'))
    const act = async (action: string, body: object = {}) => await send('POST', `${at}/h/actions/${action}`, body)
    expect(await act('scale', { replicas: 2 })).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'spec.replicas' }] },
    })
    expect((await act('scale', { cpu: '1' })).text).toContain('made of manifests or of a chart')
    expect(await act('stop')).toMatchObject({ status: 400, json: { issues: [{ path: 'spec.run' }] } })
    const restarted = await send('PATCH', `${at}/h`, { spec: { restartStamp: 'now' } })
    expect(restarted.json.issues).toMatchObject([{ path: 'spec.restartStamp' }])
    const deployed = await act('deploy', { services: [{ name: 'web', image: 'app:2' }] })
    expect(deployed.text).toContain('change what is in those, and apply it')
    expect((await act('deploy')).status).toBe(202)
  })
})

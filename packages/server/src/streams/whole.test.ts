/** Lines and commands of a workload that controllers run, from the API to the engine and back. */
import { simulatedHarness, type TestProgram } from '@gantry/providers/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ControlPlane, createControlPlane } from '../control-plane.ts'
import { mask } from '../logs/mask/marks.ts'
import { simulatedFactory } from '../providers/simulated-factory.ts'
import { secretOf, tenantOf, workloadOf } from '../testing/plane.ts'

const value = 'canary-0123456789abcdef'
let plane: ControlPlane
let service: (program: TestProgram) => object

beforeAll(async () => {
  plane = createControlPlane({
    database: 'sqlite::memory:',
    providers: { simulated: simulatedFactory() },
    edge: false,
    rates: false,
  })
  await plane.start()
  const { service: words } = await simulatedHarness()
  service = (program) => ({
    name: 'web',
    ...words(program),
    secrets: [{ name: 'db', key: 'password', env: 'PASSWORD' }],
  })
  await plane.client.tenants.put(tenantOf('shop'))
  await plane.client.providers.put({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name: 'sim' },
    spec: { type: 'simulated', default: true, tenants: ['shop'] },
  })
  const { secrets } = plane.client.tenant('shop')
  await secrets.put(secretOf('db'))
  await secrets.putData('db', { text: { password: value } })
})
afterAll(() => plane.stop())

const says = (line: string): TestProgram => ({ prints: [{ stream: 'stdout', line }] })

async function lines(options: { previous?: boolean } = {}): Promise<string[]> {
  const found: string[] = []
  for await (const log of plane.client.tenant('shop').workloads.logs('web', options)) {
    if ('line' in log) found.push(log.line)
  }
  return found
}

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 })

describe('a workload that runs', () => {
  it('has its lines kept and its secrets hidden, also after the replica that wrote them was replaced', async () => {
    const { workloads } = plane.client.tenant('shop')
    const spec = { replicas: 1, strategy: { minReadySeconds: 0 } }
    await workloads.put(workloadOf('web', { ...spec, services: [service(says(`first ${value}.`))] }))
    await waitFor(async () => expect(await lines()).toEqual([`first ${mask}.`]))
    await workloads.put(workloadOf('web', { ...spec, services: [service(says('second'))] }))
    await waitFor(async () => expect(await lines()).toEqual([`first ${mask}.`, 'second']))
    await waitFor(async () => expect(await lines({ previous: true })).toEqual([`first ${mask}.`]))
  })

  it('runs commands, in the same process and with the secrets it was given', async () => {
    const { argv } = await simulatedHarness()
    const running = await plane.client.tenant('shop').workloads.exec('web', argv({ do: 'env', name: 'PASSWORD' }))
    const chunks: Uint8Array[] = []
    for await (const chunk of running.stdout) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString().trim()).toBe(value)
    expect(await running.exit).toEqual({ ended: 'exited', exitCode: 0 })
  })
})

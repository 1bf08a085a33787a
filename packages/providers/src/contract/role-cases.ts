/** Main, sidecar and init: who starts when, and who may fail whom. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

const exits = (code: number, afterMs = 300) => ({ exits: { code, afterMs } })
const http = [{ name: 'http', port: 8080 }]

export const roleCases: readonly ContractCase[] = [
  {
    title: 'runs every init to its end before anything else starts, one after another',
    rows: ['roles'],
    needs: ['logs'],
    async run(kit) {
      const says = (line: string) => ({ prints: [{ stream: 'stdout', line }] as const })
      await kit.provision({
        services: [
          kit.service(says('main')),
          kit.service(says('sidecar'), { name: 'helper', role: 'sidecar' }),
          kit.service({ ...says('first'), ...exits(0) }, { name: 'init-one', role: 'init' }),
          kit.service({ ...says('second'), ...exits(0) }, { name: 'init-two', role: 'init' }),
        ],
      })
      const lines = await kit.eventually('all have spoken', async () => {
        const read = await kit.lines()
        return read.length === 4 && read
      })
      const at = (line: string): number => lines.find((each) => each.line === line)?.ts.getTime() ?? 0
      assert.ok(at('second') - at('first') >= 290, 'the second init waits for the first')
      assert.ok(at('main') - at('second') >= 290, 'main waits for the last init')
      // By their starts: which of two programs speaks first is the machine's business.
      const [main, sidecar] = [await startOf(kit, 'web'), await startOf(kit, 'helper')]
      assert.ok(sidecar >= main, 'the sidecar comes after main')
      const { state, ready, services } = await kit.status()
      assert.deepEqual([state, ready, services['init-one']?.state], ['running', true, 'stopped'])
    },
  },
  {
    title: 'fails a replica whose init fails, and starts nothing after it',
    rows: ['roles'],
    async run(kit) {
      const spec = kit.spec({
        services: [kit.service(), kit.service(exits(3), { name: 'migrate', role: 'init' })],
      })
      const work = kit.provider.provision({ ref: kit.ref(), spec }, kit.call)
      const fault = await kit.refused(work, 'init_failed')
      assert.match(fault.message, /migrate/)
      assert.match(fault.message, /3/)
      const status = await kit.status()
      assert.deepEqual([status.state, status.ready], ['failed', false])
      assert.deepEqual(await kit.processes(kit.ref(), 'web'), [], 'main never started')
    },
  },
  {
    title: 'comes up when a failed init is mended by a new spec',
    rows: ['roles', 'provision'],
    async run(kit) {
      const services = (code: number) => [kit.service(), kit.service(exits(code), { name: 'migrate', role: 'init' })]
      const spec = kit.spec({ services: services(1) })
      await kit.refused(kit.provider.provision({ ref: kit.ref(), spec }, kit.call), 'init_failed')
      await kit.provision({ services: services(0) })
      assert.deepEqual([(await kit.status()).state, (await kit.processes()).length], ['running', 1])
    },
  },
  {
    title: 'starts a sidecar before main where main depends on it',
    rows: ['roles'],
    needs: ['dependsOn'],
    async run(kit) {
      await kit.provision({
        services: [kit.service({}, { dependsOn: [{ service: 'proxy', until: 'healthy' }] }), slowSidecar(kit, 'proxy')],
      })
      const [main, proxy] = [await startOf(kit, 'web'), await startOf(kit, 'proxy')]
      assert.ok(main - proxy >= 450, 'main waited until the sidecar was healthy')
    },
  },
  {
    title: 'follows a chain of dependencies whatever order they are written in',
    rows: ['roles'],
    needs: ['dependsOn'],
    async run(kit) {
      const waiting = (name: string, on: string) =>
        kit.service(
          { listens: 'http', healthyAfterMs: 400 },
          {
            name,
            role: 'sidecar',
            ports: [{ name: 'http', port: 8080 + name.length }],
            healthCheck: { http: { port: 'http' } },
            dependsOn: [{ service: on, until: 'healthy' }],
          },
        )
      await kit.provision({
        services: [waiting('ccc', 'bb'), kit.service(), waiting('bb', 'a'), slowSidecar(kit, 'a')],
      })
      const [a, b, c] = [await startOf(kit, 'a'), await startOf(kit, 'bb'), await startOf(kit, 'ccc')]
      assert.ok(b - a >= 350 && c - b >= 350, 'each waited for the one before')
    },
  },
  {
    title: 'gates only the first start by dependencies: a restart of one does not take the others along',
    rows: ['roles'],
    needs: ['dependsOn'],
    async run(kit) {
      const { replicas } = await kit.provision({
        services: [
          kit.service({}, { dependsOn: [{ service: 'proxy', until: 'started' }] }),
          kit.service({}, { name: 'proxy', role: 'sidecar' }),
        ],
      })
      const [before] = await kit.processes(kit.ref(), 'web')
      await kit.harness.crash(replicas[0]?.engineId ?? '', 'proxy')
      await kit.eventually('the sidecar is back', async () => (await kit.status()).services.proxy?.restarts === 1)
      const [after] = await kit.processes(kit.ref(), 'web')
      assert.equal(after?.processId, before?.processId)
    },
  },
  {
    title: 'is ready only when every service is',
    rows: ['roles', 'status'],
    async run(kit) {
      const begun = kit.harness.clock.monotonic()
      await kit.provision({ services: [kit.service(), slowSidecar(kit, 'proxy')] })
      assert.ok(kit.harness.clock.monotonic() - begun >= 450, 'a slow sidecar holds readiness back')
    },
  },
  {
    title: 'refuses a spec that breaks the rules of roles, with every path, before anything is touched',
    rows: ['roles', 'serviceSpec'],
    async run(kit) {
      const spec = kit.spec({
        services: [
          kit.service(),
          kit.service({}, { name: 'helper', role: 'sidecar', dependsOn: [{ service: 'web' }] }),
        ],
      })
      const [web, helper] = spec.services
      assert.ok(web && helper)
      const asked = (services: typeof spec.services) =>
        kit.refused(kit.provider.provision({ ref: kit.ref(), spec: { ...spec, services } }, kit.call), 'schema')
      const twoMains = await asked([web, { ...helper, role: 'main' }])
      assert.ok(twoMains.issues.some(({ path }) => path.startsWith('spec.services')))
      const circle = await asked([{ ...web, dependsOn: [{ service: 'helper', until: 'started' }] }, helper])
      assert.match(circle.issues[0]?.message ?? '', /web.*helper|helper.*web/, 'the circle is written out')
      const unknown = await asked([{ ...web, dependsOn: [{ service: 'nobody', until: 'started' }] }, helper])
      assert.ok(unknown.issues.some(({ path }) => path.includes('dependsOn')))
      await kit.assertUntouched()
    },
  },
  {
    title: 'lets siblings of a replica reach each other',
    rows: ['alias'],
    needs: ['exec'],
    async run(kit) {
      const api = kit.service({ listens: 'http' }, { name: 'api', role: 'sidecar', ports: http })
      await kit.provision({ services: [kit.service(), api] })
      await kit.eventually('main reaches its sibling', async () => {
        return (await kit.run({ do: 'reach', service: 'api', port: 'http', number: 8080 })).code === 0
      })
      assert.match((await kit.env('GANTRY_PORT_API_HTTP')) ?? '', /^\d+$/)
      assert.notEqual((await kit.run({ do: 'reach', service: 'api', port: 'http', number: 8099 })).code, undefined)
    },
  },
]

const slowSidecar = (kit: Kit, name: string) =>
  kit.service(
    { listens: 'http', healthyAfterMs: 500 },
    { name, role: 'sidecar', ports: http, healthCheck: { http: { port: 'http' } } },
  )

async function startOf(kit: Kit, service: string): Promise<number> {
  const [process] = await kit.processes(kit.ref(), service)
  assert.ok(process, `${service} runs`)
  return process.startedAt
}

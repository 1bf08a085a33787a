/** New releases: what changes, what does not, and what happens when one does not come up. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

const http = [{ name: 'http', port: 8080 }]

export const deployCases: readonly ContractCase[] = [
  {
    title: 'merges the environment of a deploy, and takes away what ends in a dash',
    rows: ['deploy', 'serviceDeploy'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision({ services: [kit.service({}, { env: { KEPT: '1', CHANGED: 'old', GONE: 'x' } })] })
      const before = await processIds(kit)
      const { release, status } = await deploy(kit, { name: 'web', env: { CHANGED: 'new', ADDED: '2', 'GONE-': '' } })
      assert.equal(release.version, 2)
      assert.equal(status.release, release.id)
      const seen = [await kit.env('KEPT'), await kit.env('CHANGED'), await kit.env('ADDED'), await kit.env('GONE')]
      assert.deepEqual(seen, ['1', 'new', '2', undefined])
      assert.deepEqual(
        (await processIds(kit)).filter((id) => before.includes(id)),
        [],
        'new processes have it',
      )
    },
  },
  {
    title: 'takes effect also when nothing in the spec has changed, since a tag may have moved',
    rows: ['deploy'],
    async run(kit) {
      const { release: first } = await kit.provision()
      const before = await processIds(kit)
      const image = kit.spec().services[0]?.image
      const { release } = await deploy(kit, { name: 'web', ...(image === undefined ? {} : { image }) })
      assert.notEqual(release.id, first.id)
      assert.deepEqual(
        (await processIds(kit)).filter((id) => before.includes(id)),
        [],
      )
    },
  },
  {
    title: 'leaves services that a deploy does not list as they are',
    rows: ['deploy', 'releases'],
    needs: ['exec'],
    async run(kit) {
      const helper = kit.service({}, { name: 'helper', role: 'sidecar', env: { H: '1' } })
      await kit.provision({ services: [kit.service({}, { env: { W: '1' } }), helper] })
      const { release } = await deploy(kit, { name: 'web', env: { W: '2' } })
      assert.equal(await kit.env('W'), '2')
      assert.equal(await kit.env('H', { service: 'helper' }), '1')
      assert.deepEqual(
        release.services.map(({ name, env }) => [name, env]),
        [
          ['web', { W: '2' }],
          ['helper', { H: '1' }],
        ],
      )
      await deploy(kit, { name: 'helper', env: { H: '2' } })
      assert.equal(await kit.env('W'), '2', 'inherited from the release that runs')
    },
  },
  {
    title: 'reads the secrets of the services it lists anew, and leaves those of the others',
    rows: ['deploy', 'releases'],
    needs: ['exec'],
    async run(kit) {
      const { secrets } = kit.harness
      const knowing = (name: string) => ({ secrets: [{ name, key: 'token', env: 'TOKEN' }] })
      for (const name of ['mine', 'theirs']) secrets.put(name, { token: 'old' })
      const helper = kit.service({}, { name: 'helper', role: 'sidecar', ...knowing('theirs') })
      await kit.provision({ services: [kit.service({}, knowing('mine')), helper] })
      for (const name of ['mine', 'theirs']) secrets.put(name, { token: 'new' })
      await deploy(kit, { name: 'web' })
      assert.deepEqual([await kit.env('TOKEN'), await kit.env('TOKEN', { service: 'helper' })], ['new', 'old'])
    },
  },
  {
    title: 'changes, adds and takes away a health check with a deploy',
    rows: ['deploy', 'serviceDeploy'],
    async run(kit) {
      const slow = kit.service({ listens: 'http', healthyAfterMs: 700 }, { ports: http })
      await kit.provision({ services: [slow] })
      const healthCheck = kit.healthCheck({ http: { port: 'http', path: '/healthz' } })
      const begun = kit.harness.clock.monotonic()
      const { release } = await deploy(kit, { name: 'web', healthCheck })
      assert.ok(kit.harness.clock.monotonic() - begun >= 690, 'the new check gates the deploy')
      assert.equal(release.services[0]?.healthCheck?.http?.path, '/healthz')
      const { release: without } = await deploy(kit, { name: 'web', healthCheck: null })
      assert.equal(without.services[0]?.healthCheck, undefined)
    },
  },
  {
    title: 'fails a deploy that does not come up, and runs the last good release again',
    rows: ['deploy', 'releases'],
    needs: ['exec'],
    async run(kit) {
      const services = [kit.service({ listens: 'http' }, { ports: http, env: { V: '1' } })]
      await kit.provision({ services, strategy: { progressDeadlineSeconds: 10 }, stopGraceSeconds: 1 })
      const never = { name: 'web', env: { V: '2' }, healthCheck: kit.healthCheck({ command: ['false'] }) }
      const work = kit.provider.deploy(kit.ref(), { services: [never] }, kit.call)
      await kit.refused(work, 'deadline_exceeded', 'rollout_stalled')
      assert.equal(await kit.env('V'), '1')
      assert.equal((await kit.status()).ready, true)
      await deploy(kit, { name: 'web', env: { W: '3' } })
      assert.equal(await kit.env('V'), '1', 'a later deploy inherits from what runs, not from what failed')
    },
  },
  {
    title: 'refuses a deploy of a service that is not there, and touches nothing',
    rows: ['deploy', 'serviceDeploy'],
    async run(kit) {
      await kit.provision()
      const before = await processIds(kit)
      await kit.refused(kit.provider.deploy(kit.ref(), { services: [{ name: 'nope' }] }, kit.call), 'service_not_found')
      assert.deepEqual(await processIds(kit), before)
      assert.equal((await kit.settle(kit.provider.releases(kit.ref(), kit.call))).length, 1)
    },
  },
  {
    title: 'refuses a deploy that makes an invalid spec, with its path, and touches nothing',
    rows: ['deploy', 'serviceDeploy'],
    async run(kit) {
      await kit.provision()
      const before = await processIds(kit)
      const services = [
        { name: 'web', env: { '1 bad name': 'x' }, healthCheck: kit.healthCheck({ tcp: { port: 'http' } }) },
      ]
      const fault = await kit.refused(kit.provider.deploy(kit.ref(), { services }, kit.call), 'schema')
      assert.ok(fault.issues.some(({ path }) => path.startsWith('spec.services[0].env')))
      assert.deepEqual(await processIds(kit), before)
      assert.equal((await kit.settle(kit.provider.releases(kit.ref(), kit.call))).length, 1)
    },
  },
  {
    title: 'refuses a strategy that is not done in place, and names those that are',
    rows: ['deploy', 'capabilities'],
    async run(kit) {
      await kit.provision()
      const before = await processIds(kit)
      const work = kit.provider.deploy(kit.ref(), { services: [], strategy: 'canary' }, kit.call)
      const fault = await kit.refused(work, 'capability_missing')
      assert.match(fault.message, /rolling/)
      assert.deepEqual(await processIds(kit), before)
    },
  },
  {
    title: 'keeps a stopped instance stopped through a deploy, which shows at the next start',
    rows: ['deploy', 'lifecycle'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision({ services: [kit.service({}, { env: { V: '1' } })] })
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await deploy(kit, { name: 'web', env: { V: '2' } })
      assert.deepEqual(await kit.processes(), [])
      await kit.settle(kit.provider.start(kit.ref(), kit.call))
      assert.equal(await kit.env('V'), '2')
    },
  },
]

const deploy = (kit: Kit, service: Parameters<Kit['provider']['deploy']>[1]['services'][number]) =>
  kit.settle(kit.provider.deploy(kit.ref(), { services: [service] }, kit.call))

async function processIds(kit: Kit): Promise<string[]> {
  return (await kit.processes()).map(({ processId }) => processId).sort()
}

/** Each field alone, all together, and nothing that was not asked for. */
import assert from 'node:assert/strict'
import type { ScaleRequest } from '../provider.ts'
import type { ContractCase } from './case.ts'
import type { TruthService } from './harness.ts'
import type { Kit } from './kit.ts'

const mebi = 2 ** 20

const start = { cpu: '250m', memory: '64Mi' } as const

type Field = { request: ScaleRequest; path: string; limit: keyof TruthService['limits']; to: number }

const fields = {
  cpu: { request: { cpu: '500m' }, path: 'resources.cpu', limit: 'cpuMillis', to: 500 },
  memory: { request: { memory: '128Mi' }, path: 'resources.memory', limit: 'memoryBytes', to: 128 * mebi },
  disk: { request: { disk: '256Mi' }, path: 'resources.disk', limit: 'diskBytes', to: 256 * mebi },
  gpu: { request: { gpu: 1 }, path: 'resources.gpu', limit: 'gpus', to: 1 },
} as const satisfies Record<string, Field>

export const scaleCases: readonly ContractCase[] = [
  {
    title: 'scales replicas up and down in place, and makes no release of it',
    rows: ['scale'],
    async run(kit) {
      const { release } = await kit.provision({ replicas: 2 })
      const before = await ids(kit)
      const up = await kit.settle(kit.provider.scale(kit.ref(), { replicas: 4 }, kit.call))
      assert.deepEqual(up.replicas, { wanted: 4, there: 4, ready: 4 })
      const grown = await ids(kit)
      assert.equal(grown.length, 4)
      assert.deepEqual(
        before.filter((id) => !grown.includes(id)),
        [],
        'those that were there stay',
      )
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 1 }, kit.call))
      assert.equal((await ids(kit)).length, 1)
      assert.equal((await kit.status()).release, release.id)
      assert.equal((await kit.settle(kit.provider.releases(kit.ref(), kit.call))).length, 1)
    },
  },
  ...Object.entries(fields).map(
    ([name, field]): ContractCase => ({
      title: `scales ${name} alone, by a release that rolls, and leaves the rest as it was`,
      rows: ['scale'],
      run: (kit) => scalesAlone(kit, field),
    }),
  ),
  {
    title: 'scales everything together at once',
    rows: ['scale'],
    needs: ['limits'],
    async run(kit) {
      await limited(kit)
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 3, cpu: '300m', memory: '96Mi' }, kit.call))
      const limits = (await kit.processes()).map((each) => [each.limits.cpuMillis, each.limits.memoryBytes])
      assert.deepEqual(
        limits,
        [1, 2, 3].map(() => [300, 96 * mebi]),
      )
    },
  },
  {
    title: 'scales the service that is named, and no other',
    rows: ['scale'],
    needs: ['limits'],
    async run(kit) {
      const helper = kit.service({}, { name: 'helper', role: 'sidecar', resources: start })
      await limited(kit, [kit.service({}, { resources: start }), helper])
      await kit.settle(kit.provider.scale(kit.ref(), { service: 'helper', cpu: '100m' }, kit.call))
      const [web, other] = [(await kit.processes(kit.ref(), 'web'))[0], (await kit.processes(kit.ref(), 'helper'))[0]]
      assert.deepEqual([web?.limits.cpuMillis, other?.limits.cpuMillis], [250, 100])
      await kit.refused(kit.provider.scale(kit.ref(), { service: 'nope', cpu: '1' }, kit.call), 'service_not_found')
    },
  },
  {
    title: 'changes nothing when nothing is asked for',
    rows: ['scale'],
    async run(kit) {
      await kit.provision({ replicas: 2 })
      const before = await ids(kit)
      await kit.settle(kit.provider.scale(kit.ref(), {}, kit.call))
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 2 }, kit.call))
      assert.deepEqual(await ids(kit), before)
    },
  },
  {
    title: 'scales to none and back',
    rows: ['scale'],
    async run(kit) {
      await kit.provision({ replicas: 2 })
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 0 }, kit.call))
      assert.deepEqual(await kit.processes(), [])
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 1 }, kit.call))
      assert.equal((await kit.processes()).length, 1)
    },
  },
  {
    title: 'remembers a scale of what is stopped for the next start',
    rows: ['scale', 'lifecycle'],
    async run(kit) {
      await kit.provision({ replicas: 1 })
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 3 }, kit.call))
      assert.deepEqual(await kit.processes(), [])
      await kit.settle(kit.provider.start(kit.ref(), kit.call))
      assert.equal((await kit.processes()).length, 3)
    },
  },
]

/** A field is either refused with its path and nothing touched, or it holds. */
async function scalesAlone(kit: Kit, { request, path, limit, to }: Field): Promise<void> {
  const bare = (await limited(kit)) ? start : undefined
  if (!bare) await kit.provision({ replicas: 2 })
  const before = await ids(kit)
  const asked = kit.desired({ services: [kit.service({}, { resources: wanted(request) })] })
  const refusal = kit.harness.engine.check(asked).some((issue) => issue.path === `spec.services[0].${path}`)
  const offered = path !== 'resources.gpu' || kit.provider.declares.has('gpu')
  if (refusal || !offered) {
    const work = kit.provider.scale(kit.ref(), request, kit.call)
    const fault = await kit.refused(work, 'field_unsupported', 'capability_missing')
    assert.ok(fault.issues.some((issue) => issue.path === `spec.services[0].${path}`))
    assert.deepEqual(await ids(kit), before)
    return
  }
  await kit.settle(kit.provider.scale(kit.ref(), request, kit.call))
  const services = await kit.processes()
  assert.deepEqual(
    services.map(({ limits }) => limits[limit]),
    [to, to],
  )
  assert.deepEqual(
    (await ids(kit)).filter((id) => before.includes(id)),
    [],
    'it rolled',
  )
  if (bare && limit !== 'cpuMillis')
    assert.deepEqual(
      services.map(({ limits }) => limits.cpuMillis),
      [250, 250],
    )
  if (bare && limit !== 'memoryBytes')
    assert.deepEqual(
      services.map(({ limits }) => limits.memoryBytes),
      [64 * mebi, 64 * mebi],
    )
  assert.equal((await kit.settle(kit.provider.releases(kit.ref(), kit.call))).length, 2)
}

const wanted = ({ cpu, memory, disk, gpu }: ScaleRequest) => ({
  ...(cpu === undefined ? {} : { cpu }),
  ...(memory === undefined ? {} : { memory }),
  ...(disk === undefined ? {} : { disk }),
  ...(gpu === undefined ? {} : { gpu: { count: gpu } }),
})

/** Provisions with limits where the engine has them; answers whether it has. */
async function limited(kit: Kit, services = [kit.service({}, { resources: start })]): Promise<boolean> {
  const refused = kit.harness.engine.check(kit.desired({ services }))
  if (refused.some(({ path }) => /resources\.(cpu|memory)$/.test(path))) return false
  await kit.provision({ replicas: services.length > 1 ? 1 : 2, services })
  return true
}

const ids = async (kit: Kit): Promise<string[]> => (await kit.processes()).map(({ processId }) => processId).sort()

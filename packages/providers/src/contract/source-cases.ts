/** Workloads that are made of what somebody else wrote: objects as they are, or a chart of them. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit, SpecInput } from './kit.ts'

type SourceType = 'manifests' | 'helm'

const sourceCase = (type: SourceType): ContractCase => ({
  title: `brings a workload from ${type} to life, changes it, rolls it back and takes all of it away`,
  rows: ['capabilities', 'provision', 'deprovision', 'rollback'],
  needs: [`source:${type}`, 'logs', 'exec'],
  async run(kit) {
    const { release } = await kit.provision(await made(kit, type, 'one'))
    const status = await kit.status()
    assert.deepEqual([status.state, status.ready, status.release], ['running', true, release.id])
    const main = Object.keys(status.services).find((name) => name.startsWith('deployment/'))
    assert.ok(main, 'its objects are its services')
    assert.equal(await said(kit, main), 'one')
    const seen = await kit.settle(kit.provider.orphans(kit.call))
    assert.deepEqual(seen, [], 'it is on record')
    await kit.provision(await made(kit, type, 'two'))
    assert.equal(await said(kit, main), 'two')
    await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
    assert.equal(await said(kit, main), 'one')
    await kit.eventually('what it wrote is read', async () => {
      return (await kit.lines({ service: main })).some(({ line }) => line === 'up')
    })
    await kit.gone()
    assert.equal(await kit.settle(kit.provider.status(kit.ref(), kit.call)), undefined)
    await kit.assertUntouched()
    assert.deepEqual(await kit.harness.sources?.left(kit.ref()), [], 'none of its objects is left')
  },
})

export const sourceCases: readonly ContractCase[] = [sourceCase('manifests'), sourceCase('helm')]

async function made(kit: Kit, type: SourceType, text: string): Promise<SpecInput> {
  const { sources } = kit.harness
  assert.ok(sources, 'the harness has something written by others')
  const source =
    type === 'manifests' ? { manifests: await sources.manifests(text) } : { helm: await sources.helm(text) }
  return { services: [], source }
}

/** What its variable TEXT is: another one in every version of it. */
async function said(kit: Kit, service: string): Promise<string | undefined> {
  return await kit.eventually('a command runs in it', async () => await kit.env('TEXT', { service }))
}

/** Images: what a tag means, what a release keeps of it, and whose entrypoint runs. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

export const imageCases: readonly ContractCase[] = [
  {
    title: 'runs what a moved tag means now',
    rows: ['deploy', 'serviceSpec'],
    needs: ['images', 'logs'],
    async run(kit) {
      assert.ok(kit.harness.image, 'the harness can make images')
      const image = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'first' }] }, 'contract/moving:1')
      await kit.provision({ services: [{ name: 'web', image, imagePullPolicy: 'always' }] })
      assert.deepEqual(await spoken(kit), ['first'])
      await kit.harness.image({ prints: [{ stream: 'stdout', line: 'second' }] }, 'contract/moving:1')
      await deploy(kit, { name: 'web', image })
      assert.deepEqual(await spoken(kit), ['second'])
    },
  },
  {
    title: 'runs the entrypoint of a new image, not that of the old one',
    rows: ['deploy'],
    needs: ['images', 'logs'],
    async run(kit) {
      assert.ok(kit.harness.image, 'the harness can make images')
      const one = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'one' }] }, 'contract/one:1')
      const two = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'two' }] }, 'contract/two:1')
      await kit.provision({ services: [{ name: 'web', image: one }] })
      await deploy(kit, { name: 'web', image: two })
      assert.deepEqual(await spoken(kit), ['two'])
    },
  },
  {
    title: 'restores the image of a release',
    rows: ['rollback'],
    needs: ['images', 'logs'],
    async run(kit) {
      assert.ok(kit.harness.image, 'the harness can make images')
      const one = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'one' }] }, 'contract/back-one:1')
      const two = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'two' }] }, 'contract/back-two:1')
      const { release } = await kit.provision({ services: [{ name: 'web', image: one }] })
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', image: two }] }, kit.call))
      await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
      assert.deepEqual(await spoken(kit), ['one'])
    },
  },
  {
    title: 'brings back the very image that a release ran, also when its tag has moved since',
    rows: ['rollback', 'releases'],
    needs: ['images', 'pinned images', 'logs'],
    async run(kit) {
      assert.ok(kit.harness.image, 'the harness can make images')
      const first = { prints: [{ stream: 'stdout', line: 'first' }] } as const
      const second = { prints: [{ stream: 'stdout', line: 'second' }] } as const
      const image = await kit.harness.image(first, 'contract/pinned:1')
      const { release } = await kit.provision({ services: [{ name: 'web', image, imagePullPolicy: 'always' }] })
      assert.notEqual(release.images.web ?? image, image, 'the release keeps more than the tag')
      await kit.harness.image(second, 'contract/pinned:1')
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      assert.deepEqual(await spoken(kit), ['first'], 'a restart is no deploy')
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', image }] }, kit.call))
      assert.deepEqual(await spoken(kit), ['second'])
      await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
      assert.deepEqual(await spoken(kit), ['first'])
    },
  },
]

const deploy = (kit: Kit, service: Parameters<Kit['provider']['deploy']>[1]['services'][number]) =>
  kit.settle(kit.provider.deploy(kit.ref(), { services: [service] }, kit.call))

async function spoken(kit: Kit): Promise<string[]> {
  const lines = await kit.eventually('it has spoken', async () => {
    const read = await kit.lines()
    return read.length > 0 && read
  })
  return lines.map(({ line }) => line)
}

/** The ways to a port of a replica that are not its address: a port of its node, and through the API. */
import { describe, expect, it, type TestContext } from 'vitest'
import { readAll } from '../contract/bytes.ts'
import { Kit } from '../contract/kit.ts'
import { type KubernetesHarness, kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { kubernetesRig } from '../testing/kubernetes-rig.ts'

const rig = await kubernetesRig()

type Test = (kit: Kit, harness: KubernetesHarness) => Promise<void>

const withHarness = async ({ skip }: Pick<TestContext, 'skip'>, test: Test): Promise<void> => {
  if ('missing' in rig) return skip(rig.missing)
  const harness = await kubernetesHarness(rig)
  const kit = new Kit(harness)
  try {
    await test(kit, harness)
  } finally {
    await kit.close()
    await harness.dispose()
  }
}

describe('a port of a replica', { concurrent: true, timeout: 120_000 }, () => {
  it('is open on its node, for others too, where it is asked for', (context) =>
    withHarness(context, async (kit, { dial, freePort }) => {
      const ports = [{ name: 'http', port: 8080, hostPort: await freePort(), bind: '0.0.0.0' }]
      await kit.provision({ services: [kit.service({ listens: 'http' }, { ports })] })
      const open = (await kit.status()).endpoints.find((endpoint) => endpoint.public)
      expect(open?.dial).toMatchObject({ port: ports[0]?.hostPort })
      await kit.eventually('it answers', async () => open !== undefined && (await dial(open)))
    }))

  it('is reached through the API, whatever way there is else', (context) =>
    withHarness(context, async (kit, { engine }) => {
      const ports = [{ name: 'http', port: 8080 }]
      const { replicas } = await kit.provision({ services: [kit.service({ listens: 'http' }, { ports })] })
      const id = replicas[0]?.engineId ?? ''
      const answer = await kit.eventually('it answers', async () => {
        const connection = await engine.connect?.(id, 'web', 8080, kit.call)
        await connection?.write(Buffer.from('GET / HTTP/1.1\r\nHost: web\r\n\r\n'))
        const text = connection && (await readAll(connection.incoming).catch(() => ''))
        connection?.close()
        return text || undefined
      })
      expect(answer).toMatch(/^HTTP\/1\.1 200/)
      await expect(engine.connect?.('no/such/replica', 'web', 8080, kit.call)).rejects.toMatchObject({
        reason: 'replica_not_found',
      })
    }))
})

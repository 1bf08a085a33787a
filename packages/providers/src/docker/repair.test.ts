import { describe, expect, it } from 'vitest'
import type { Kit, SpecInput } from '../contract/kit.ts'
import { label } from '../labels.ts'
import { dockerClient } from '../testing/docker-client.ts'
import { type OnDocker, onDocker } from '../testing/on-docker.ts'
import type { Container } from './api/types/containers.ts'

const timeout = 240_000
const mebi = 2 ** 20

const group = (kit: Kit): SpecInput => ({
  services: [
    kit.service({}, { dependsOn: [{ service: 'api', until: 'started' }] }),
    kit.service({ listens: 'http' }, { name: 'api', role: 'sidecar', ports: [{ name: 'http', port: 8080 }] }),
  ],
})

/** By service; the holder as `holder`. */
async function containersOf({ kit, harness, rig }: OnDocker): Promise<Record<string, Container>> {
  const filters = { label: [`${label.installation}=${harness.installation}`] }
  const listed = await rig.docker.containers.list({ all: true, filters }, kit.call)
  const all = await Promise.all(listed.map(({ Id }) => rig.docker.containers.inspect(Id, kit.call)))
  return Object.fromEntries(
    all.flatMap((each) => (each ? [[each.Config.Labels?.[label.service] ?? 'holder', each] as const] : [])),
  )
}

const reaches = (kit: Kit): Promise<boolean> =>
  kit.eventually('siblings reach each other', async () => {
    return (await kit.run({ do: 'reach', service: 'api', port: 'http', number: 8080 })).code === 0
  })

describe('what a person does to a replica is mended', { timeout }, () => {
  it('where a container of a group was removed, without touching the others', (context) =>
    onDocker(context, async (on) => {
      const { kit, rig } = on
      await kit.provision(group(kit))
      const before = await containersOf(on)
      await rig.docker.containers.remove(before.api?.Id ?? '', { force: true, volumes: true }, kit.call)
      await kit.provision(group(kit))
      const after = await containersOf(on)
      expect(after.api?.Id).not.toBe(before.api?.Id)
      expect([after.web?.State.StartedAt, after.holder?.Id]).toEqual([before.web?.State.StartedAt, before.holder?.Id])
      await reaches(kit)
    }))

  it('where the holder of a group was removed: all of it is started again, in its order', (context) =>
    onDocker(context, async (on) => {
      const { kit, rig } = on
      await kit.provision(group(kit))
      const before = await containersOf(on)
      await rig.docker.containers.remove(before.holder?.Id ?? '', { force: true, volumes: true }, kit.call)
      await kit.provision(group(kit))
      await reaches(kit)
      const { web, api, holder } = await containersOf(on)
      const starts = [holder, api, web].map((each) => Date.parse(each?.State.StartedAt ?? ''))
      expect([...starts].sort((left, right) => left - right)).toEqual(starts)
    }))

  it('where a container was stopped, renamed or given other limits', (context) =>
    onDocker(context, async (on) => {
      const { kit, rig, harness } = on
      const { containers } = rig.docker
      const spec = { services: [kit.service({}, { resources: { memory: '64Mi' } })] }
      await kit.provision(spec)
      const web = (await containersOf(on)).web
      const id = web?.Id ?? ''
      const seen = () => containers.inspect(id, kit.call)

      await containers.stop(id, 1, kit.call)
      await kit.provision(spec)
      expect((await seen())?.State.Running).toBe(true)

      await containers.rename(id, `someone-${id.slice(0, 8)}`, kit.call)
      await containers.update(id, { Memory: 128 * mebi, MemorySwap: 128 * mebi }, kit.call)
      await kit.eventually('the drift is seen', async () => (await kit.status()).drift.length > 0)
      expect((await kit.status()).drift).toEqual(['spec.services[0].resources.memory'])
      await kit.provision(spec)
      expect(await seen()).toMatchObject({ Name: web?.Name, HostConfig: { Memory: 64 * mebi } })
      expect((await kit.status()).drift).toEqual([])
      expect((await harness.truth(kit.ref())).services).toHaveLength(1)
    }))

  it('where containers were paused: it is said, they go on after a pass, and can be removed as they are', (context) =>
    onDocker(context, async (on) => {
      const { kit, rig, harness } = on
      const client = await dockerClient(rig.address)
      if ('missing' in client) return context.skip(client.missing)
      await kit.provision(group(kit))
      const before = await containersOf(on)
      for (const each of [before.web, before.holder]) await client('pause', each?.Id ?? '')
      const web = await kit.eventually('it is seen to be paused', async () => {
        const [replica] = (await harness.engine.look(kit.ref(), kit.call))?.replicas ?? []
        return replica?.ready === false && replica.services.web
      })
      expect(web).toMatchObject({ ready: false, message: 'was paused by somebody else' })
      await kit.provision(group(kit))
      const after = await containersOf(on)
      for (const name of ['web', 'holder', 'api']) {
        expect(after[name]).toMatchObject({ Id: before[name]?.Id, State: { Paused: false, Running: true } })
        expect(after[name]?.State.StartedAt).toBe(before[name]?.State.StartedAt)
      }
      expect((await kit.status()).ready).toBe(true)
      for (const each of Object.values(after)) await client('pause', each.Id)
      await kit.gone()
      expect(await containersOf(on)).toEqual({})
    }))

  it('where it cannot be put back, by another replica', (context) =>
    onDocker(context, async (on) => {
      const { kit, rig } = on
      await kit.provision()
      const before = (await containersOf(on)).web
      const [network = ''] = Object.keys(before?.NetworkSettings.Networks ?? {})
      await rig.docker.networks.disconnect(network, before?.Id ?? '', kit.call)
      await kit.eventually('another one takes its place', async () => {
        await kit.provision()
        const { web } = await containersOf(on)
        return web !== undefined && web.Id !== before?.Id
      })
      expect((await kit.status()).endpoints).toEqual([])
      expect((await kit.status()).ready).toBe(true)
    }))
})

import { createServer } from 'node:net'
import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { Watcher } from '../contract/watcher.ts'
import type { DockerHarness } from '../testing/docker-harness.ts'
import { frozenLine } from '../testing/frozen-line.ts'
import { type OnDocker, onDocker } from '../testing/on-docker.ts'

const timeout = 240_000
const http = (hostPort: number) => [{ name: 'http', port: 8080, hostPort }]
const never = { policy: 'never' } as const

/** As of busybox: it reads into memory without end. */
const eats = ['tail', '/dev/zero']

describe('trouble on a real engine', { timeout }, () => {
  it('is said where a port of the machine is taken, and over when it is free', (context) =>
    onDocker(context, async ({ kit, harness }) => {
      const hostPort = await harness.freePort()
      const holder = createServer().listen(hostPort, '127.0.0.1')
      await new Promise((resolve) => holder.once('listening', resolve))
      const services = [kit.service({ listens: 'http' }, { ports: http(hostPort) })]
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec({ services }) }, kit.call)
      const fault = await kit.refused(work, 'port_in_use')
      expect(fault.message).toMatch(new RegExp(`port ${hostPort} .*choose another hostPort`))
      await new Promise((resolve) => holder.close(resolve))
      await kit.provision({ services })
      expect(await kit.status()).toMatchObject({ state: 'running', ready: true })
    }))

  it('is said of a main process that was killed for want of memory', (context) =>
    onDocker(context, async ({ kit }) => {
      const services = [{ ...kit.service(), command: eats, resources: { memory: '16Mi' } }]
      const spec = kit.spec({ services, restart: never, strategy: { minReadySeconds: 20 } })
      const work = kit.provider.provision({ ref: kit.ref(), spec }, kit.call)
      expect((await kit.refused(work, 'rollout_stalled')).message).toMatch(
        /web was killed when it reached its limit of 16 Mi/,
      )
    }))

  it('is said of a process of its own that was killed for want of memory, while it goes on', (context) =>
    onDocker(context, async ({ kit }) => {
      const command = ['sh', '-c', 'tail /dev/zero; while :; do sleep 1000; done']
      const before = { ...kit.service(), command, resources: { memory: '16Mi' } }
      await kit.provision({ services: [before], restart: never })
      const status = await kit.eventually('it is told', async () => {
        const seen = await kit.status()
        return seen.services.web?.message !== undefined && seen
      })
      expect(status.services.web).toMatchObject({ state: 'running', ready: true, message: /want of memory/ })
    }))

  it('is a network of our name that is somebody else’s, which is left alone', (context) =>
    onDocker(context, async ({ kit, harness, rig }) => {
      const first = await kit.provision({}, kit.ref('first'))
      expect(first.replicas).toHaveLength(1)
      await kit.gone(kit.ref('first'))
      const Name = (await networksOf(harness, rig))[0] ?? ''
      const mine = await rig.docker.networks.inspect(Name, kit.call)
      await rig.docker.networks.remove(mine?.Id ?? '', kit.call)
      const Config = [...(mine?.IPAM.Config ?? [])]
      const theirs = await rig.docker.networks.create({ Name, IPAM: { Config } }, kit.call)
      const next = await harness.reopen()
      const provider = harness.over(next)
      const work = provider.provision({ ref: kit.ref('second'), spec: kit.spec() }, kit.call)
      await kit.refused(work, 'foreign_object')
      expect(await rig.docker.networks.inspect(theirs, kit.call)).toBeDefined()
      await rig.docker.networks.remove(theirs, kit.call)
    }))

  it('is a daemon that accepts and never answers: nobody waits for ever, and it is blind until it answers again', (context) =>
    onDocker(context, async ({ kit, harness, rig }) => {
      await kit.provision()
      const line = await frozenLine(rig.address.socket)
      try {
        // Longer than a daemon that does answer takes on a busy machine.
        const engine = await harness.reopen({ endpoint: { socket: line.path }, answerMs: 5000 })
        const watcher = new Watcher(new Kit({ ...harness, engine }))
        await watcher.next((seen) => seen.find((each) => each.type === 'snapshot'))
        line.freeze()
        const look = engine.look(kit.ref(), kit.call).catch((error: unknown) => error)
        expect(isFault(await look, 'deadline')).toBe(true)
        await watcher.next((seen) => seen.find((each) => each.type === 'blind'))
        line.thaw()
        const after = await watcher.next((seen) => {
          const blindAt = seen.findIndex((each) => each.type === 'blind')
          return seen.slice(blindAt + 1).find((each) => each.type === 'snapshot')
        })
        expect(after.type === 'snapshot' && after.instances[0]?.replicas).toHaveLength(1)
        await watcher.leave()
      } finally {
        await line.dispose()
      }
    }))
})

async function networksOf({ installation }: DockerHarness, { docker }: OnDocker['rig']): Promise<string[]> {
  const signal = AbortSignal.timeout(300_000)
  const found = await docker.networks.list({ label: [`gantry.dev/installation=${installation}`] }, { signal })
  return found.map((network) => network.Name)
}

import type { PrivateEngine } from '@gantry/engines'
import { afterEach, describe, expect, it } from 'vitest'
import type { Kit, SpecInput } from '../contract/kit.ts'
import { Watcher } from '../contract/watcher.ts'
import { onRig } from '../testing/on-docker.ts'
import { type PrivateRig, privateRig } from '../testing/private-rig.ts'
import type { DockerName } from '../testing/tested-docker.ts'

const call = { signal: AbortSignal.timeout(1_200_000) }
const timeout = 600_000

/** With an order and a file: what a daemon does not keep by itself. */
const group = (kit: Kit): SpecInput => ({
  services: [
    kit.service(
      {},
      {
        dependsOn: [{ service: 'api', until: 'healthy' }],
        configFiles: [{ name: 'f', path: kit.path('f'), content: 'kept' }],
      },
    ),
    kit.service(
      { listens: 'http' },
      { name: 'api', role: 'sidecar', ports: [{ name: 'http', port: 8080 }], healthCheck: { http: { port: 'http' } } },
    ),
    kit.service({ exits: { code: 0, afterMs: 50 } }, { name: 'migrate', role: 'init' }),
  ],
})

describe('a daemon that is killed and started anew', { timeout }, () => {
  let engine: PrivateEngine<DockerName> | undefined
  afterEach(() => engine?.stop(call))

  async function killable(liveRestore: 'on' | 'off'): Promise<PrivateRig | { readonly missing: string }> {
    const rig = await privateRig({ liveRestore })
    engine = 'missing' in rig ? undefined : rig.engine
    return rig
  }

  it('has everything run again, groups in their order and with their files', async ({ skip }) => {
    const rig = await killable('off')
    if ('missing' in rig) return skip(rig.missing)
    await onRig(rig, async ({ kit, harness }) => {
      await kit.provision(group(kit), kit.ref('group'))
      await kit.provision({ replicas: 2 }, kit.ref('plain'))
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen[0])
      await engine?.restart('immediate', call)
      await watcher.next((seen) => seen.find((each) => each.type === 'blind'))
      await watcher.next((seen) => seen.slice(1).find((each) => each.type === 'snapshot'))
      await kit.provision(group(kit), kit.ref('group'))
      await kit.provision({ replicas: 2 }, kit.ref('plain'))
      expect(await kit.read(kit.path('f'), {}, kit.ref('group'))).toBe('kept')
      const reach = { do: 'reach', service: 'api', port: 'http', number: 8080 } as const
      expect((await kit.run(reach, {}, kit.ref('group'))).code).toBe(0)
      const { services } = await harness.truth(kit.ref('group'))
      const order = ['migrate', 'api', 'web'].map(
        (name) => services.find(({ service }) => service === name)?.startedAt ?? 0,
      )
      expect([...order].sort((left, right) => left - right)).toEqual(order)
      expect(await kit.processes(kit.ref('plain'))).toHaveLength(2)
      await watcher.leave()
    })
  })

  it('leaves everything as it is where it may, and still brings back what crashes then', async ({ skip }) => {
    const rig = await killable('on')
    if ('missing' in rig) return skip(rig.missing)
    await onRig(rig, async ({ kit, harness }) => {
      const { replicas } = await kit.provision(group(kit))
      const ids = async () => (await kit.processes()).map(({ processId }) => processId).sort()
      const before = await ids()
      await engine?.restart('immediate', call)
      await kit.provision(group(kit))
      expect(await ids()).toEqual(before)
      await harness.crash(replicas[0]?.engineId ?? '', 'web')
      await kit.eventually('it is back with its file', async () => {
        await kit.provision(group(kit)).catch(() => undefined)
        const [web] = await kit.processes(kit.ref(), 'web')
        return web !== undefined && !before.includes(web.processId) && (await kit.read(kit.path('f'))) === 'kept'
      })
    })
  })

  it('in the middle of anything: what was asked for is there when it is asked for again', async ({ skip }) => {
    const rig = await killable('off')
    if ('missing' in rig) return skip(rig.missing)
    await onRig(rig, async ({ kit }) => {
      const { provider } = kit
      const spec = { replicas: 2, services: [kit.service(), kit.service({}, { name: 'helper', role: 'sidecar' })] }
      const deploy = () => provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call)
      const steps: readonly [string, () => Promise<unknown>, number][] = [
        ['provision', () => kit.provision(spec), 4],
        ['deploy', deploy, 4],
        ['scale', () => provider.scale(kit.ref(), { replicas: 3 }, kit.call), 6],
        ['stop', () => provider.stop(kit.ref(), kit.call), 0],
        ['start', () => provider.start(kit.ref(), kit.call), 6],
        ['deprovision', () => kit.gone(), 0],
      ]
      for (const [what, work, processes] of steps) {
        const first = work().catch((error: unknown) => error)
        await engine?.restart('immediate', call)
        await first
        const faults: unknown[] = []
        const again = kit.eventually(`${what} is done when it is asked again`, () =>
          work().then(
            () => true,
            (error: unknown) => void faults.push(error),
          ),
        )
        await again.catch((error: unknown) => {
          throw new AggregateError(faults, `${error}: ${faults.at(-1)}`)
        })
        expect(await kit.processes(), what).toHaveLength(processes)
      }
      await kit.assertUntouched()
    })
  })
})

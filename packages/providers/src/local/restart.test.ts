/** What is there after the server was killed and came back: all of it, and nothing twice. */
import { describe, expect, it } from 'vitest'
import type { Kit } from '../contract/kit.ts'
import type { Observation } from '../observed.ts'
import type { LocalHarness } from '../testing/local-harness.ts'
import { onLocal } from '../testing/on-local.ts'

const http = { ports: [{ name: 'http', port: 8080 }], healthCheck: { http: { port: 'http' } } }

describe('the local engine after the server was killed', { timeout: 60_000 }, () => {
  it('finds everything again: exits, restarts, times, readiness; and starts nothing anew', async () => {
    const { kit, harness } = await onLocal()
    const services = [
      kit.service({ listens: 'http' }, http),
      kit.service({ exits: { code: 0, afterMs: 10 } }, { name: 'init', role: 'init' }),
    ]
    const { replicas } = await kit.provision({ replicas: 2, services })
    await harness.crash(replicas[0]?.engineId ?? '', 'web')
    await kit.eventually('it is back', async () => {
      const { restarts, ready } = await kit.status()
      return restarts === 1 && ready
    })
    const before = await harness.engine.look(kit.ref(), kit.call)
    const running = await kit.processes()
    // As kill -9: nobody says goodbye. What the old one still had in memory is not asked again.
    const again = await harness.reopen()
    const after = await kit.eventually('it was looked at', async () => {
      const seen = await again.look(kit.ref(), kit.call)
      return seen?.replicas.every(({ ready }) => ready) && seen
    })
    const facts = (seen: typeof before) =>
      seen?.replicas.map(({ engineId, index, release, specHash, services: each, endpoints }) => {
        const parts = Object.entries(each).map(([name, { restarts, exitCode, startedAt }]) => [
          name,
          restarts,
          exitCode,
          startedAt,
        ])
        return { engineId, index, release, specHash, endpoints, parts }
      })
    expect(facts(after)).toEqual(facts(before))
    expect(await again.converge(await desired(kit, harness), kit.call)).toEqual({ state: 'done' })
    expect((await kit.processes()).map(({ processId }) => processId)).toEqual(running.map(({ processId }) => processId))
  })

  it('never shows a replica as not ready that it merely has not looked at yet', async () => {
    const { kit, harness } = await onLocal()
    await kit.provision({ services: [kit.service({ listens: 'http' }, http)] })
    const again = await harness.reopen()
    const shown: (boolean | undefined)[] = []
    for await (const each of again.observe(kit.call)) {
      const instances = each.type === 'snapshot' ? each.instances : each.type === 'changed' ? [each.instance] : []
      shown.push(...instances.flatMap(({ replicas }) => replicas.map(({ ready }) => ready)))
      if (shown.includes(true)) break
    }
    expect(shown).not.toContain(false)
  })

  it('goes on with a replica whose services were not all started yet', async () => {
    const { kit, harness } = await onLocal()
    const slow = { listens: 'http', healthyAfterMs: 1500 }
    const services = [
      kit.service({}, { dependsOn: [{ service: 'db', until: 'healthy' }] }),
      kit.service(slow, { name: 'db', role: 'sidecar', ...http }),
    ]
    const wanted = kit.desired({ services })
    await harness.engine.converge(wanted, kit.call)
    await kit.eventually('the first of them runs', async () => (await kit.processes()).length === 1)
    await harness.engine.close()
    const again = await harness.reopen()
    await kit.eventually('it has converged', async () => (await again.converge(wanted, kit.call)).state === 'done')
    expect((await kit.processes()).map(({ service }) => service).sort()).toEqual(['db', 'web'])
  })

  it('finishes a removal that was begun, and leaves no process, file or record', async () => {
    const { kit, harness } = await onLocal()
    const volumes = [{ name: 'data', path: '/data', type: 'persistent' as const, retain: false }]
    const wanted = kit.desired({ replicas: 2, services: [kit.service({}, { volumes })] })
    await kit.eventually('it runs', async () => (await harness.engine.converge(wanted, kit.call)).state === 'done')
    await harness.engine.remove(kit.ref(), { retained: 'keep' }, kit.call)
    const again = await harness.reopen()
    await kit.eventually('it is gone', async () => {
      return (await again.remove(kit.ref(), { retained: 'keep' }, kit.call)).state === 'done'
    })
    expect(await harness.truth(kit.ref())).toEqual({ objects: [], services: [], volumes: [] })
    expect(harness.filesLeft()).toEqual([])
  })

  it('gives replicas another rule of restarts by giving them successors', async () => {
    const { kit, harness } = await onLocal()
    const first = kit.desired()
    const reached = async (wanted: typeof first): Promise<void> => {
      await kit.eventually('it runs', async () => (await harness.engine.converge(wanted, kit.call)).state === 'done')
    }
    await reached(first)
    const [before] = await kit.processes()
    await reached({ ...first, restart: { policy: 'never', maxPerHour: 1 } })
    const [after, ...others] = await kit.processes()
    expect([after?.processId === before?.processId, others]).toEqual([false, []])
  })

  it('goes on when the supervisor was killed too: nothing is lost, and nothing started anew', async () => {
    const { kit, harness } = await onLocal()
    await kit.provision({ replicas: 2, services: [kit.service({ listens: 'http' }, http)] })
    const running = (await kit.processes()).map(({ processId }) => processId)
    const seen: Observation['type'][] = []
    const leave = new AbortController()
    const watching = (async () => {
      for await (const each of harness.engine.observe(leave)) seen.push(each.type)
    })().catch((error: unknown) => error)
    await kit.eventually('it watches', async () => seen.length > 0)
    const { pid } = await harness.supervisor.info(kit.call)
    process.kill(pid, 'SIGKILL')
    await kit.eventually('it sees again after it was blind', async () => {
      return seen.includes('blind') && seen.lastIndexOf('snapshot') > seen.indexOf('blind')
    })
    expect((await harness.engine.look(kit.ref(), kit.call))?.replicas.map(({ ready }) => ready)).toEqual([true, true])
    expect((await kit.processes()).map(({ processId }) => processId)).toEqual(running)
    leave.abort(new Error('seen enough'))
    await watching
  })

  it('sees and removes processes that are its own and on no record', async () => {
    const { kit, harness } = await onLocal()
    const services = [kit.service(), kit.service({}, { name: 'helper', role: 'sidecar' })]
    await kit.provision({ services })
    await harness.engine.close()
    harness.loseRecords()
    const again = await harness.reopen()
    expect((await again.look(kit.ref(), kit.call))?.replicas).toHaveLength(1)
    await kit.eventually('it is gone', async () => {
      return (await again.remove(kit.ref(), { retained: 'keep' }, kit.call)).state === 'done'
    })
    expect((await harness.truth(kit.ref())).objects).toEqual([])
  })
})

/** What the provider would ask for, from what it has on record. */
async function desired(kit: Kit, harness: LocalHarness) {
  const observed = await harness.engine.look(kit.ref(), kit.call)
  const [replica] = observed?.replicas ?? []
  const services = [
    kit.service({ listens: 'http' }, http),
    kit.service({ exits: { code: 0, afterMs: 10 } }, { name: 'init', role: 'init' }),
  ]
  return {
    ...kit.desired({ replicas: 2, services }),
    specHash: replica?.specHash ?? '',
    release: replica?.release ?? '',
  }
}

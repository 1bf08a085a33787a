/** Not one failed request through the edge, whatever is done to a workload meanwhile: the same on every engine. */
import type { ObjectInput } from '@gantry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Failure, keepBusy, type Load, type LoadOptions, type LoadReport } from '../../whole/testing/load.ts'
import { settled } from '../../whole/testing/settled.ts'
import type { System } from '../../whole/testing/system.ts'
import { until } from '../../whole/testing/until.ts'
import type { WebOptions } from '../../whole/testing/web-program.ts'

export type ZeroFailedOptions = {
  /** A system that does not run yet. */
  readonly make: () => Promise<System>
  /** The web program as a workload of the engine. */
  readonly web: (options: WebOptions) => ObjectInput<'Workload'>
  /** Where a workload is reached past the edge, on engines that share requests out themselves: kept as busy meanwhile. */
  readonly beside?: (name: string) => Promise<LoadOptions>
  /** Between two requests of a connection to the edge, where the engine itself needs much of the machine. Left out: none. */
  readonly breathMs?: number
}

const says = (text: string) => ({ services: [{ name: 'web', env: { SAYS: text } }] })

const strategies: [string, object][] = [
  ['rolling', { type: 'rolling', maxSurge: 1, maxUnavailable: 0 }],
  ['blue-green', { type: 'blue_green' }],
  [
    'canary',
    {
      type: 'canary',
      steps: [
        { weight: 20, pauseSeconds: 1 },
        { weight: 60, pauseSeconds: 1 },
      ],
    },
  ],
]

export function zeroFailedRequests(engine: string, { make, web, beside, breathMs = 0 }: ZeroFailedOptions): void {
  let system: System
  const workloads = () => system.client.tenant('default').workloads
  const as = (name: string, generation?: number) => settled(system.client, name, generation)

  async function ready(name: string, more: Omit<WebOptions, 'name'>): Promise<void> {
    const { metadata } = await workloads().put(web({ name, ...more }))
    await as(name, metadata.generation)
  }

  /** What is done while 32 connections are busy. */
  async function during(
    name: string,
    act: (load: Load) => Promise<void>,
    past: typeof beside | false = beside,
  ): Promise<LoadReport> {
    const loads = [keepBusy({ port: system.edgePort, host: `${name}.default.localhost`, breathMs })]
    if (past) loads.push(keepBusy(await past(name)))
    const all = together(loads)
    try {
      await hears(all, 'v1')
      await act(all)
      // What is quickly done, on a machine that is slow, must have been under load all the same.
      for (const load of loads) {
        await until(
          'a hundred answers',
          async () => load.report().answered,
          (answered) => answered > 100,
        )
      }
    } finally {
      await all.stop()
    }
    return all.report()
  }

  describe(`no request fails on ${engine}`, { timeout: 120_000 }, () => {
    beforeAll(async () => {
      system = await make()
      await system.start()
    }, 300_000)
    afterAll(async () => {
      expect(await system.dispose()).toEqual([])
    }, 180_000)

    it.each(strategies)('during a %s deploy and the rollback of it', async (kind, strategy) => {
      const name = `web-${kind}`
      await ready(name, { strategy, env: { SAYS: 'v1' } })
      const report = await during(name, async (load) => {
        await as(name, (await workloads().deploy(name, says('v2'))).metadata.generation)
        await hears(load, 'v2')
        const back = await workloads().rollback(name)
        const { workload } = await as(name, back.metadata.generation)
        expect(workload.status.release).toBe(1)
      })
      expectNoneFailed(report)
      await workloads().delete(name)
    })

    it('while it is scaled up, scaled down and restarted', async () => {
      await ready('scaled', { env: { SAYS: 'v1' } })
      const report = await during('scaled', async () => {
        for (const replicas of [4, 1, 2]) {
          const { metadata } = await workloads().scale('scaled', { replicas })
          await as('scaled', metadata.generation)
        }
        const before = (await workloads().replicas('scaled')).items.map(({ engineId }) => engineId)
        await as('scaled', (await workloads().restart('scaled')).metadata.generation)
        const after = (await workloads().replicas('scaled')).items.map(({ engineId }) => engineId)
        expect(after.filter((id) => before.includes(id))).toEqual([])
      })
      expectNoneFailed(report)
      await workloads().delete('scaled')
    })

    it('of a service that takes 3 s to be ready and 3 s to stop', async () => {
      const slow = { READY_MS: '3000', STOP_MS: '3000' }
      await ready('slow', { env: { SAYS: 'v1', ...slow } })
      const report = await during('slow', async (load) => {
        await as('slow', (await workloads().deploy('slow', says('v2'))).metadata.generation)
        await hears(load, 'v2')
      })
      expectNoneFailed(report)
      await workloads().delete('slow')
    })

    it('but those that were in flight on a replica that crashed, which comes back by itself', async () => {
      await ready('crashing', { replicas: 3, env: { SAYS: 'v1' } })
      const report = await during(
        'crashing',
        async () => {
          const [victim] = (await workloads().replicas('crashing')).items
          const dial = victim?.endpoints[0]?.dial
          if (!dial || !('port' in dial)) throw new Error('a replica has an address')
          await fetch(`http://${dial.host}:${dial.port}/crash`).catch(() => undefined)
          await until(
            'the replica to have been started anew',
            async () => (await workloads().replicas('crashing')).items,
            (items) =>
              items.length === 3 &&
              items.every(({ ready: is }) => is) &&
              items.some((one) => (one.services.web?.restarts ?? 0) > 0 || one.engineId !== victim?.engineId),
          )
        },
        nowhereElse,
      )
      // 32 connections over 3 replicas: no more than were under way on the one that went.
      expect(report.failures.length).toBeLessThanOrEqual(32)
      await workloads().delete('crashing')
    })

    it('while the server is killed, stays away for 20 s and comes back', async () => {
      await ready('left-alone', { env: { SAYS: 'v1' } })
      const engineIds = async () =>
        (await workloads().replicas('left-alone')).items.map(({ engineId }) => engineId).toSorted()
      const report = await during('left-alone', async (load) => {
        const before = await engineIds()
        await system.kill()
        const answered = load.report().answered
        await new Promise((resolve) => setTimeout(resolve, 20_000))
        expect(load.report().answered).toBeGreaterThan(answered)
        await system.start()
        await as('left-alone')
        expect(await engineIds()).toEqual(before)
        await as('left-alone', (await workloads().deploy('left-alone', says('v2'))).metadata.generation)
        await hears(load, 'v2')
      })
      expectNoneFailed(report)
      await workloads().delete('left-alone')
    })
  })
}

/** What is told of all of them; a body counts when each of them has heard it. */
function together(loads: readonly Load[]): Load {
  const report = (): LoadReport => {
    const reports = loads.map((load) => load.report())
    const [first, ...rest] = reports.map(({ bodies }) => bodies)
    const bodies = [...(first ?? [])].map(([body, times]): [string, number] => [
      body,
      Math.min(times, ...rest.map((other) => other.get(body) ?? 0)),
    ])
    return {
      answered: reports.reduce((sum, { answered }) => sum + answered, 0),
      failures: reports.flatMap(({ failures }, at) => (at === 0 ? failures : failures.map(pastEdge))),
      bodies: new Map(bodies),
    }
  }
  const stop = async (): Promise<LoadReport> => {
    await Promise.all(loads.map((load) => load.stop()))
    return report()
  }
  return { report, stop }
}

const pastEdge = ({ at, what }: Failure): Failure => ({ at, what: `past the edge: ${what}` })

/** Waits for the load to have seen a body, so that traffic is known to have moved. */
async function hears(load: Load, body: string): Promise<void> {
  await until(
    `an answer of ${body}`,
    async () => load.report().bodies,
    (bodies) => (bodies.get(body) ?? 0) > 0,
  )
}

/** Who shares out connections without asking sends some to a replica that has crashed, until that was noticed. */
const nowhereElse = false

function expectNoneFailed({ failures }: LoadReport): void {
  const first = failures.slice(0, 20).map(({ at, what }) => `${new Date(at).toISOString()} ${what}`)
  expect(`${failures.length} failed\n${first.join('\n')}`).toBe('0 failed\n')
}

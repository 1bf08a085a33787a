import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { desiredFor } from '../contract/desired-for.ts'
import { Kit } from '../contract/kit.ts'
import type { Desired } from '../desired.ts'
import type { ReplicaHands } from '../engine.ts'
import type { Leaving } from '../leaving.ts'
import type { Replica } from '../observed.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { replicaSet } from './replica-set.ts'

const call = { signal: new AbortController().signal }
const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const

async function wanting(replicas: number, specHash = 'v1'): Promise<Desired> {
  const kit = new Kit(await simulatedHarness())
  return { ...desiredFor('i', ref, kit.spec({ replicas, stopGraceSeconds: 7 })), specHash }
}

/** An engine of nothing but a list; who leaves and when is in the hands of the test. */
class Bench {
  readonly clock = new VirtualClock(0)
  readonly said: string[] = []
  replicas: Replica[] = []
  readonly answers = new Map<string, Pass | Fault>()
  #made = 0

  readonly #hands: ReplicaHands = {
    create: async (desired, index) => {
      const pass = this.#answer(`create ${index}`)
      if (pass.state === 'done') this.#add(desired, index)
      return pass
    },
    stop: async (engineId, graceMs) => {
      const pass = this.#answer(`stop ${engineId} within ${graceMs}`)
      this.replicas = this.replicas.map((each) => (each.engineId === engineId ? { ...each, terminating: true } : each))
      return pass
    },
    remove: async (engineId) => {
      const pass = this.#answer(`remove ${engineId}`)
      if (pass.state === 'done') this.replicas = this.replicas.filter((each) => each.engineId !== engineId)
      return pass
    },
  }
  readonly #leaving: Leaving = {
    routedOut: async (_ref, { engineId }) => this.#answer(`route out ${engineId}`),
    logsKept: async (_ref, { engineId }) => this.#answer(`keep logs ${engineId}`),
  }
  readonly set = this.restarted()

  /** As after a crash of the server: the same engine, and no memory. */
  restarted() {
    const look = async () => ({
      ref,
      replicas: this.replicas,
      endpoints: [],
      drift: [],
      notEnforced: [],
      at: new Date(0),
    })
    return replicaSet({ hands: this.#hands, look, leaving: this.#leaving, clock: this.clock })
  }

  #answer(what: string): Pass {
    this.said.push(what)
    const answer = this.answers.get(what) ?? done
    if (answer instanceof Fault) throw answer
    return answer
  }

  #add({ release, specHash }: Desired, index: number): void {
    this.#made += 1
    const state = { ready: true, readySince: new Date(0), terminating: false, services: {}, endpoints: [] }
    this.replicas.push({ engineId: `r${this.#made}`, index, release, specHash, ...state })
  }

  heard(): string[] {
    return this.said.splice(0)
  }
}

describe('the routine of a replica set', () => {
  it('routes out, stops with its grace, waits for the logs, and only then removes', async () => {
    const bench = new Bench()
    await bench.set.converge(await wanting(1), call)
    bench.heard()
    const none = await wanting(0)
    bench.answers.set('route out r1', waitFor('the edge to let go of it', 40))
    expect(await bench.set.converge(none, call)).toEqual(waitFor('1 replica to end: the edge to let go of it', 40))
    expect(bench.heard()).toEqual(['route out r1'])
    bench.answers.clear()
    bench.answers.set('stop r1 within 7000', waitFor('it to end', 500))
    await bench.set.converge(none, call)
    expect(bench.heard()).toEqual(['route out r1', 'stop r1 within 7000'])
    bench.answers.clear()
    bench.answers.set('keep logs r1', waitFor('its logs to be read', 100))
    await bench.set.converge(none, call)
    expect(bench.heard()).toEqual(['stop r1 within 7000', 'keep logs r1'])
    bench.answers.clear()
    await bench.set.converge(none, call)
    expect(bench.heard()).toEqual(['stop r1 within 7000', 'keep logs r1', 'remove r1'])
    expect(await bench.set.converge(none, call)).toEqual(done)
  })

  it('does not turn back on one that it has begun to route out, and makes another instead', async () => {
    const bench = new Bench()
    await bench.set.converge(await wanting(2), call)
    bench.answers.set('route out r2', waitFor('the edge', 10))
    await bench.set.converge(await wanting(1), call)
    bench.heard()
    await bench.set.converge(await wanting(2), call)
    expect(bench.heard()).toEqual(['route out r2', 'create 2'])
  })

  it('goes on after a restart with what was stopping, without routing it out again', async () => {
    const bench = new Bench()
    await bench.set.converge(await wanting(1), call)
    bench.answers.set('stop r1 within 7000', waitFor('it to end', 500))
    await bench.set.converge(await wanting(0), call)
    bench.heard()
    await bench.restarted().converge(await wanting(0), call)
    expect(bench.heard()).toEqual(['stop r1 within 7000'])
  })

  it('takes everything away in the same order, and is done when it is gone', async () => {
    const bench = new Bench()
    await bench.set.converge(await wanting(2), call)
    bench.heard()
    bench.answers.set('keep logs r2', waitFor('its logs to be read', 100))
    expect(await bench.set.drain(ref, 3000, call)).toMatchObject({ state: 'yield', afterMs: 100 })
    expect(bench.replicas.map(({ engineId }) => engineId)).toEqual(['r2'])
    bench.answers.clear()
    expect(await bench.set.drain(ref, 3000, call)).toEqual(done)
    expect(bench.replicas).toEqual([])
  })

  it('does what it can beside one that fails, and says what failed', async () => {
    const bench = new Bench()
    const refused = new Fault('foreign_object', 'taken')
    bench.answers.set('create 0', refused)
    await expect(bench.set.converge(await wanting(2), call)).rejects.toBe(refused)
    expect(bench.replicas.map(({ index }) => index)).toEqual([1])
  })

  it('tries one that failed anew when its time has come', async () => {
    const bench = new Bench()
    const want = await wanting(1)
    await bench.set.converge(want, call)
    bench.replicas = bench.replicas.map((each) => ({ ...each, ready: false, failed: 'again' as const }))
    bench.heard()
    await bench.set.converge(want, call)
    await bench.clock.advance(1999)
    await bench.set.converge(want, call)
    expect(bench.heard()).toEqual([])
    await bench.clock.advance(1)
    await bench.set.converge(want, call)
    expect(bench.heard()).toContain('remove r1')
    await bench.set.converge(want, call)
    expect(bench.heard()).toEqual(['create 0'])
  })
})

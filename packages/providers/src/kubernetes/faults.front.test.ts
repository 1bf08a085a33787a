/** What the engine makes of an API server in trouble: on the real one, through a front that spoils it. */
import { sleep } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { Watcher } from '../contract/watcher.ts'
import type { Observation } from '../observed.ts'
import type { FrontAnswer } from '../testing/api-front.ts'
import { onKubernetes } from '../testing/on-kubernetes.ts'

const refusal = (code: number, reason: string, more: Partial<FrontAnswer> = {}): FrontAnswer => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `the test says ${reason}`, reason, code },
  ...more,
})

/** The first of a kind behind a place in what was seen. */
const since = (at: number, type: Observation['type']) => (seen: readonly Observation[]) =>
  seen.slice(at).find((each) => each.type === type)

/** Restarts of the only replica, as they were last told. */
function restartsTold(seen: readonly Observation[]): number | undefined {
  const last = seen.findLast((each) => each.type === 'snapshot' || each.type === 'changed')
  const instance = last?.type === 'snapshot' ? last.instances[0] : last?.type === 'changed' ? last.instance : undefined
  return instance?.replicas[0]?.services.web?.restarts
}

describe('an engine whose API server is in trouble', { timeout: 240_000 }, () => {
  it('sees what happened while its watches were cut', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      const { replicas } = await kit.provision()
      const watcher = new Watcher(kit)
      await watcher.next(since(0, 'snapshot'))
      const at = watcher.seen.length
      harness.front.cutWatches()
      await harness.crash(replicas[0]?.engineId ?? '', 'web')
      await watcher.next((seen) => restartsTold(seen) === 1 && seen.at(-1))
      // Whoever was blind meanwhile is told all there is.
      if (since(at, 'blind')(watcher.seen)) expect(since(at, 'snapshot')(watcher.seen)).toBeDefined()
      await watcher.leave()
    }))

  it('lists anew where the server has forgotten what came since', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      const { replicas } = await kit.provision()
      const watcher = new Watcher(kit)
      await watcher.next(since(0, 'snapshot'))
      // As a status to the question, before any event.
      let refused = 0
      harness.front.rule(({ query }) => {
        if (!query.has('watch') || query.get('labelSelector') === null || refused >= 12) return undefined
        refused += 1
        return refusal(410, 'Expired')
      })
      harness.front.cutWatches()
      await harness.crash(replicas[0]?.engineId ?? '', 'web')
      await watcher.next((seen) => restartsTold(seen) === 1 && seen.at(-1))
      expect(refused).toBeGreaterThan(0)
      await watcher.leave()
    }))

  it('comes to what was asked for though every second change is put off', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      let asked = 0
      let putOff = 0
      harness.front.rule(({ method }) => {
        if (method === 'GET' || asked++ % 2 === 1) return undefined
        putOff += 1
        return refusal(429, 'TooManyRequests', { headers: { 'retry-after': '1' } })
      })
      const { replicas } = await kit.provision({ replicas: 2 })
      expect(replicas).toHaveLength(2)
      await kit.gone()
      expect(putOff).toBeGreaterThan(3)
      await kit.assertUntouched()
    }))

  it('says so where it is put off for too long, and goes on when it may', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      const { engine, front } = harness
      front.rule(({ method }) =>
        method === 'GET' ? undefined : refusal(429, 'TooManyRequests', { headers: { 'retry-after': '60' } }),
      )
      const pass = engine.converge(kit.desired(), kit.call)
      await expect(pass).rejects.toMatchObject({ reason: 'too_many_requests', retryAfterMs: 60_000 })
      front.rule()
      await kit.provision()
    }))

  it('is blind within seconds while it hangs, refuses what it cannot do in time, and sees again', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      const { engine, front } = harness
      await kit.provision()
      const watcher = new Watcher(kit)
      await watcher.next(since(0, 'snapshot'))
      front.hang()
      const from = performance.now()
      const within = () => Math.round(performance.now() - from)
      await expect(engine.look(kit.ref(), kit.call)).rejects.toMatchObject({
        kind: expect.stringMatching(/^(unavailable|deadline)$/),
      })
      expect(within()).toBeLessThan(15_000)
      await watcher.next(since(1, 'blind'))
      expect(within()).toBeLessThan(15_000)
      await expect(engine.converge(kit.desired(), kit.call)).rejects.toBeDefined()
      expect(within()).toBeLessThan(30_000)
      const blindAt = watcher.seen.length
      front.heal()
      await watcher.next(since(blindAt, 'snapshot'))
      expect((await engine.look(kit.ref(), kit.call))?.replicas).toHaveLength(1)
      await watcher.leave()
    }))

  it('leaves a question at once where the caller does, also while the server hangs', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      harness.front.hang()
      const leaving = new AbortController()
      const reason = new Error('the caller has gone')
      const asked = [
        harness.engine.look(kit.ref(), leaving),
        harness.engine.converge(kit.desired(), leaving),
        harness.engine.remove(kit.ref(), { retained: 'delete' }, leaving),
      ].map((work) => work.catch((error: unknown) => error))
      await sleep(harness.clock, 200, kit.call)
      const from = performance.now()
      leaving.abort(reason)
      expect(await Promise.all(asked)).toEqual([reason, reason, reason])
      expect(performance.now() - from).toBeLessThan(1_000)
      harness.front.heal()
    }))
})

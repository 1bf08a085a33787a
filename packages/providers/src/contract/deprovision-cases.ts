/** Taking it away: all of it, surely, and nothing else. */
import assert from 'node:assert/strict'
import { onCall, troubled } from '../testing/faults.ts'
import type { ContractCase } from './case.ts'

export const deprovisionCases: readonly ContractCase[] = [
  {
    title: 'resolves a deprovision only when everything is gone',
    rows: ['deprovision'],
    async run(kit) {
      await kit.provision({
        replicas: 2,
        services: [kit.service(), kit.service({}, { name: 'helper', role: 'sidecar' })],
      })
      await kit.settle(kit.provider.deprovision(kit.ref(), {}, kit.call))
      assert.deepEqual((await kit.harness.truth(kit.ref())).objects, [])
      assert.equal(await kit.settle(kit.provider.status(kit.ref(), kit.call)), undefined)
    },
  },
  {
    title: 'takes the absence of an instance for a successful deprovision, also the second time',
    rows: ['deprovision'],
    async run(kit) {
      await kit.gone()
      await kit.provision()
      await kit.gone()
      await kit.gone()
      await kit.assertUntouched()
    },
  },
  {
    title: 'finishes a deprovision that failed half way, when it is tried again',
    rows: ['deprovision'],
    async run(kit) {
      const { engine, clock } = kit.harness
      for (const trouble of ['fail_before', 'fail_after'] as const) {
        for (let nth = 0; nth < 3; nth += 1) {
          await kit.provision({ replicas: 2 })
          const provider = kit.harness.over(troubled(engine, clock, onCall('remove', nth, { do: trouble })))
          const first = provider.deprovision(kit.ref(), {}, kit.call)
          await kit.settle(
            first.then(
              () => undefined,
              () => undefined,
            ),
          )
          await kit.gone()
          await kit.assertUntouched()
        }
      }
    },
  },
  {
    title: 'ends a process that ignores being asked, when its grace is over',
    rows: ['deprovision', 'serviceSpec'],
    async run(kit) {
      // Ready, so that it is far enough to ignore anything.
      const web = { ports: [{ name: 'http', port: 8080 }], healthCheck: { http: { port: 'http' } } }
      await kit.provision({ stopGraceSeconds: 1, services: [kit.service({ ignoresTerm: true, listens: 'http' }, web)] })
      const begun = kit.harness.clock.monotonic()
      await kit.gone()
      assert.ok(kit.harness.clock.monotonic() - begun >= 990, 'it had its grace')
      await kit.assertUntouched()
    },
  },
  {
    title: 'does not take an engine that cannot be reached for one where nothing is left',
    rows: ['deprovision'],
    async run(kit) {
      await kit.provision()
      await kit.harness.cut()
      const fault = await kit.refused(
        kit.provider.deprovision(kit.ref(), {}, kit.call),
        'engine_unreachable',
        'engine_refused',
      )
      assert.equal(fault.kind, 'unavailable')
      await kit.harness.heal()
      assert.equal((await kit.processes()).length, 1)
      await kit.gone()
      await kit.assertUntouched()
    },
  },
  {
    title: 'refuses to change what is being removed',
    rows: ['states', 'deprovision'],
    async run(kit) {
      const { engine, clock } = kit.harness
      await kit.provision()
      const provider = kit.harness.over(troubled(engine, clock, onCall('remove', 0, { do: 'fail_before' })))
      await kit.refused(provider.deprovision(kit.ref(), {}, kit.call), 'engine_unreachable')
      assert.equal((await kit.status()).state, 'destroying')
      await kit.refused(kit.provider.start(kit.ref(), kit.call), 'illegal_transition')
      await kit.refused(kit.provider.scale(kit.ref(), { replicas: 2 }, kit.call), 'illegal_transition')
      await kit.refused(kit.provider.provision({ ref: kit.ref(), spec: kit.spec() }, kit.call), 'illegal_transition')
    },
  },
  {
    title: 'makes anew what was removed, with nothing of its former life',
    rows: ['deprovision', 'provision'],
    needs: ['exec'],
    async run(kit) {
      const first = await kit.provision()
      await kit.write(kit.path('left'), 'something')
      await kit.gone()
      const second = await kit.provision()
      assert.notEqual(second.replicas[0]?.engineId, first.replicas[0]?.engineId)
      assert.equal(second.release.version, 1)
    },
  },
]

/** Making it be there: once, again, after a failure at any point, and not at all. */
import assert from 'node:assert/strict'
import { Fault } from '@gantry/core'
import { always, type Breakable, onCall, type Trouble, troubled } from '../testing/faults.ts'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

const http = [{ name: 'http', port: 8080 }]

export const provisionCases: readonly ContractCase[] = [
  {
    title: 'answers a provision with the release, the engine ids and endpoints that can be dialled',
    rows: ['provision', 'facts'],
    async run(kit) {
      const spec = { replicas: 2, services: [kit.service({ listens: 'http' }, { ports: http })] }
      const { release, replicas, endpoints } = await kit.provision(spec)
      assert.equal(release.version, 1)
      assert.deepEqual(replicas.map(({ index }) => index).sort(), [0, 1])
      const ids = replicas.flatMap(({ engineId, services }) => [engineId, services.web])
      assert.equal(
        new Set(ids.filter((id) => id !== undefined && id !== '')).size >= 2,
        true,
        'ids tell replicas apart',
      )
      assert.ok(endpoints.length > 0)
      for (const endpoint of endpoints) {
        assert.deepEqual([endpoint.service, endpoint.port, endpoint.protocol], ['web', 'http', 'http'])
        await kit.eventually('the endpoint answers', () => kit.settle(kit.harness.dial(endpoint)))
      }
    },
  },
  {
    title: 'provisions twice with the effect of once',
    rows: ['provision'],
    async run(kit) {
      const first = await kit.provision({ replicas: 2 })
      const before = await kit.harness.truth(kit.ref())
      const second = await kit.provision({ replicas: 2 })
      assert.equal(second.release.id, first.release.id)
      assert.deepEqual(ids(await kit.harness.truth(kit.ref())), ids(before))
    },
  },
  ...(['converge', 'look'] as const).flatMap((method) =>
    (['fail_before', 'fail_after'] as const).map((trouble) => retriedAfter(method, trouble)),
  ),
  {
    title: 'takes up its own work after the process that began it has died',
    rows: ['provision'],
    async run(kit) {
      const { engine, clock, records } = kit.harness
      const hasBegun = async (): Promise<boolean> => (await kit.harness.truth(kit.ref())).objects.length > 0
      // However many passes it takes until there is something: none comes after that.
      const hang = async (method: string) =>
        method === 'converge' && (await hasBegun()) ? ({ do: 'hang' } as const) : undefined
      const dying = kit.harness.over(troubled(engine, clock, hang))
      const died = new AbortController()
      const work = dying.provision({ ref: kit.ref(), spec: kit.spec({ replicas: 2 }) }, { signal: died.signal })
      const outcome = work.then(
        () => undefined,
        (error: unknown) => error,
      )
      await kit.eventually('the first pass is over', hasBegun)
      died.abort(new Error('kill -9'))
      assert.ok((await kit.settle(outcome)) instanceof Error)
      const restarted = kit.harness.over(engine, records)
      await kit.settle(restarted.provision({ ref: kit.ref(), spec: kit.spec({ replicas: 2 }) }, kit.call))
      assert.equal((await kit.processes()).length, 2, 'two, and not what the dead one made besides')
    },
  },
  {
    title: 'leaves nothing of a failed provision that a deprovision does not clean',
    rows: ['provision', 'deprovision'],
    async run(kit) {
      const { engine, clock } = kit.harness
      const provider = kit.harness.over(troubled(engine, clock, onCall('converge', 0, { do: 'fail_after' })))
      const work = provider.provision({ ref: kit.ref(), spec: kit.spec({ replicas: 2 }) }, kit.call)
      await kit.refused(work, 'engine_unreachable')
      await kit.gone()
      await kit.assertUntouched()
    },
  },
  {
    title: 'stops with the reason it was given, before and while it works',
    rows: ['provision'],
    async run(kit) {
      const reason = new Error('shutting down')
      const request = { ref: kit.ref(), spec: kit.spec() }
      const early = kit.provider.provision(request, { signal: AbortSignal.abort(reason) })
      await assert.rejects(kit.settle(early), (error) => error === reason)
      await kit.assertUntouched()
      const { engine, clock } = kit.harness
      const hanging = kit.harness.over(troubled(engine, clock, always(['converge'], { do: 'hang' })))
      const leave = new AbortController()
      const late = hanging.provision(request, { signal: leave.signal })
      leave.abort(reason)
      await assert.rejects(kit.settle(late), (error) => error === reason)
    },
  },
  {
    title: 'ends a provision that does not get ready at its deadline, with a cause of its own',
    rows: ['provision'],
    async run(kit) {
      const services = [kit.service({}, { ports: http, healthCheck: { http: { port: 'http' } } })]
      const spec = { services, strategy: { progressDeadlineSeconds: 3 }, stopGraceSeconds: 1 }
      const begun = kit.harness.clock.monotonic()
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec(spec) }, kit.call)
      const fault = await kit.refused(work, 'deadline_exceeded')
      assert.equal(fault.kind, 'deadline')
      assert.match(fault.message, /waiting for/)
      assert.ok(kit.harness.clock.monotonic() - begun >= 2990, 'not before its time')
      assert.equal((await kit.status()).ready, false)
    },
  },
  {
    title: 'fails a provision whose image cannot be had, in the words of whoever refused it',
    rows: ['provision'],
    needs: ['images'],
    async run(kit) {
      const image = kit.harness.missingImage
      assert.ok(image, 'the harness names an image that nobody has')
      const spec = kit.spec({ services: [kit.service({}, { image })] })
      const fault = await kit.refused(kit.provider.provision({ ref: kit.ref(), spec }, kit.call), 'image_pull_failed')
      assert.ok(fault.message.includes(image))
      assert.equal((await kit.status()).state, 'failed')
      await kit.provision()
      assert.equal((await kit.status()).state, 'running')
    },
  },
  {
    title: 'refuses a secret that is not there before anything is touched',
    rows: ['provision', 'facts'],
    async run(kit) {
      const services = [kit.service({}, { secrets: [{ name: 'nowhere', key: 'token', env: 'TOKEN' }] })]
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec({ services }) }, kit.call)
      await kit.refused(work, 'secret_not_found')
      await kit.assertUntouched()
    },
  },
  {
    title: 'says that it could not be reached instead of provisioning into nothing',
    rows: ['provision'],
    async run(kit) {
      await kit.harness.cut()
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec() }, kit.call)
      assert.equal((await kit.refused(work, 'engine_unreachable', 'engine_refused')).kind, 'unavailable')
      await kit.harness.heal()
      await kit.provision()
      assert.equal((await kit.processes()).length, 1)
    },
  },
]

function retriedAfter(method: Breakable, trouble: Trouble['do'] & ('fail_before' | 'fail_after')): ContractCase {
  const when = trouble === 'fail_before' ? 'before' : 'after'
  return {
    title: `converges when it is tried again after each ${method} that failed ${when} its effect`,
    rows: ['provision'],
    async run(kit) {
      const { engine, clock } = kit.harness
      for (let nth = 0; nth < 6; nth += 1) {
        const ref = kit.ref(`web-${nth}`)
        const fault = new Fault('engine_unreachable', 'scripted')
        const provider = kit.harness.over(troubled(engine, clock, onCall(method, nth, { do: trouble, fault })))
        const spec = kit.spec({ replicas: 2 })
        await settled(kit, provider.provision({ ref, spec }, kit.call))
        await kit.provision({ replicas: 2 }, ref)
        assert.equal((await kit.processes(ref)).length, 2, `${method} ${nth}: two replicas and no third`)
        await kit.gone(ref)
      }
    },
  }
}

const settled = (kit: Kit, work: Promise<unknown>): Promise<void> =>
  kit.settle(
    work.then(
      () => undefined,
      () => undefined,
    ),
  )

const ids = ({ objects }: { readonly objects: readonly { readonly id: string }[] }): string[] =>
  objects.map(({ id }) => id).sort()

import { isFault } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Kit } from './contract/kit.ts'
import { overlay } from './overlay.ts'
import type { Provider } from './provider.ts'
import type { InstanceRecords } from './records.ts'
import { type Trouble, troubled } from './testing/faults.ts'
import { simulatedHarness } from './testing/simulated-harness.ts'

/** What the instance should be after all that was asked for; `undefined`: not there. */
type Model = { run: 'running' | 'stopped'; replicas: number; colour: string } | undefined

type Operation = {
  readonly name: string
  readonly applies: (model: Model) => boolean
  readonly ask: (kit: Kit, provider: Provider) => Promise<unknown>
  readonly leaves: (model: Model) => Model
}

const there = (model: Model): boolean => model !== undefined
const changed = (change: Partial<NonNullable<Model>>) => (model: Model) => model && { ...model, ...change }

const operations: readonly Operation[] = [
  {
    name: 'provision',
    applies: (model) => model === undefined,
    ask: (kit, provider) => {
      const services = [
        kit.service({}, { env: { COLOUR: 'red' } }),
        kit.service({}, { name: 'helper', role: 'sidecar' }),
      ]
      return provider.provision({ ref: kit.ref(), spec: kit.spec({ replicas: 2, services }) }, kit.call)
    },
    leaves: () => ({ run: 'running', replicas: 2, colour: 'red' }),
  },
  {
    name: 'stop',
    applies: there,
    ask: (kit, provider) => provider.stop(kit.ref(), kit.call),
    leaves: changed({ run: 'stopped' }),
  },
  {
    name: 'start',
    applies: there,
    ask: (kit, provider) => provider.start(kit.ref(), kit.call),
    leaves: changed({ run: 'running' }),
  },
  {
    name: 'restart',
    applies: (model) => model?.run === 'running' && model.replicas > 0,
    ask: (kit, provider) => provider.restart(kit.ref(), kit.call),
    leaves: (model) => model,
  },
  ...[0, 1, 3].map(
    (replicas): Operation => ({
      name: `scale to ${replicas}`,
      applies: there,
      ask: (kit, provider) => provider.scale(kit.ref(), { replicas }, kit.call),
      leaves: changed({ replicas }),
    }),
  ),
  ...['green', 'blue'].map(
    (colour): Operation => ({
      name: `deploy ${colour}`,
      applies: there,
      ask: (kit, provider) =>
        provider.deploy(kit.ref(), { services: [{ name: 'web', env: { COLOUR: colour } }] }, kit.call),
      leaves: changed({ colour }),
    }),
  ),
  {
    name: 'deprovision',
    applies: there,
    ask: (kit, provider) => provider.deprovision(kit.ref(), {}, kit.call),
    leaves: () => undefined,
  },
]

const troubles: fc.Arbitrary<Trouble | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.constantFrom<Trouble>({ do: 'fail_before' }, { do: 'fail_after' }, { do: 'slow', ms: 500 }),
)

const cutOff: (Trouble | undefined)[] = [
  ...[undefined, undefined, { do: 'slow', ms: 500 } as const],
  ...[undefined, undefined, undefined, undefined, { do: 'fail_after' } as const, { do: 'fail_before' } as const],
]

/** A record that is written and whose acknowledgement is lost is the worst moment to crash in. */
function forgetful(records: InstanceRecords, trouble: () => boolean): InstanceRecords {
  return overlay(records, {
    async save(record, release, call) {
      const saved = await records.save(record, release, call)
      if (trouble()) throw new Error('crashed right after the record was written')
      return saved
    },
  })
}

describe('a provider', () => {
  it('comes to what was asked for last, whatever fails in between, when it is asked again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: operations.length - 1 }), { minLength: 1, maxLength: 6 }),
        fc.array(troubles, { minLength: 1, maxLength: 40 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        async (asked, script, crashes) => {
          const kit = new Kit(await simulatedHarness())
          const { engine, clock, records } = kit.harness
          let calls = 0
          let writes = 0
          const broken = kit.harness.over(
            troubled(engine, clock, () => script[calls++]),
            forgetful(records, () => crashes[writes++] === true),
          )
          let model: Model
          for (const at of asked) {
            const operation = operations[at]
            if (!operation?.applies(model)) continue
            for (let attempt = 0; ; attempt += 1) {
              const provider = attempt < 8 ? broken : kit.harness.over(engine)
              const error = await kit.settle(
                operation.ask(kit, provider).then(
                  () => undefined,
                  (thrown: unknown) => thrown,
                ),
              )
              if (error === undefined) break
              // The last attempt is on a sound engine: there is nothing left to fail.
              expect(attempt).toBeLessThan(8)
              // Whoever tries again waits a little first: what is stopping may not be scaled.
              await kit.pass(3000)
              // The record of a removal outlives its interruption; asking again finishes it.
              if (isFault(error, 'not_found') && operation.name === 'deprovision') break
            }
            model = operation.leaves(model)
          }
          await agrees(kit, model)
        },
      ),
      {
        numRuns: 150,
        // Scaled to nothing, and cut off once the last replica was told to leave: it may be scaled all the same.
        examples: [[[0, 4], cutOff, [false]]],
      },
    )
  })

  it('leaves no timer and no listener behind', async () => {
    const kit = new Kit(await simulatedHarness())
    await kit.provision({ replicas: 2 })
    await kit.gone()
    const { pending } = kit.harness.clock as unknown as { pending: number }
    expect(pending).toBe(0)
  })
})

async function agrees(kit: Kit, model: Model): Promise<void> {
  const status = await kit.settle(kit.provider.status(kit.ref(), kit.call))
  if (!model) {
    expect(status).toBeUndefined()
    await kit.assertUntouched()
    return
  }
  const wanted = model.run === 'stopped' ? 0 : model.replicas
  expect((await kit.processes()).length).toBe(2 * wanted)
  expect(status?.replicas).toEqual({ wanted, there: wanted, ready: wanted })
  if (wanted > 0) expect(await kit.env('COLOUR')).toBe(model.colour)
}

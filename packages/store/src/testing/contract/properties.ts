import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command, Draft } from '../../command.ts'
import type { Store } from '../../store.ts'
import { Model, type ModelObject, uidOf } from './model.ts'
import { call, freshTenant, type MakeSubject, sharedStore, system, untilBookmark } from './subject.ts'

type DraftStep = {
  readonly op: 'create' | 'replace'
  readonly name: string
  readonly size: number
  readonly label: string
  readonly isHeld: boolean
  readonly usage?: bigint | undefined
  readonly owner?: string
  readonly ifAbsent?: 'create'
  readonly ifGeneration?: number
}

type Step =
  | DraftStep
  | { readonly op: 'status'; readonly name: string; readonly status: number; readonly isStale: boolean }
  | { readonly op: 'delete'; readonly name: string }
  | { readonly op: 'addFinalizer' | 'removeFinalizer'; readonly name: string; readonly finalizer: string }

const name = fc.constantFrom('a', 'b', 'c', 'd')
const size = fc.integer({ min: 1, max: 2 })
const finalizer = fc.constantFrom('f', 'g')
const usage = fc.option(fc.bigInt({ min: 0n, max: 3n }), { nil: undefined })
const draft = { name, size, label: fc.constantFrom('x', 'y'), isHeld: fc.boolean(), usage }

const required = ['op', 'name', 'size', 'label', 'isHeld', 'usage'] as const
const put = { op: fc.constant('replace' as const), ...draft }

/** Weighed so that most steps are possible where they come: a batch that is refused has tested only one thing. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...put, ifAbsent: fc.constant('create' as const) }) },
  { weight: 1, arbitrary: fc.record({ ...put, ifGeneration: size }, { requiredKeys: [...required] }) },
  {
    weight: 3,
    arbitrary: fc.record(
      { ...draft, op: fc.constant('create' as const), owner: name },
      { requiredKeys: [...required] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('status' as const),
      name,
      status: size,
      isStale: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('delete' as const), name }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constantFrom('addFinalizer' as const, 'removeFinalizer' as const), name, finalizer }),
  },
)

/** What a step needs to know of the side it is taken on. */
type Side = { readonly uid: (name: string) => string | undefined; readonly version: (name: string) => number }

function commandOf(step: Step, tenant: string, side: Side): Command {
  const key = { kind: 'Thing', tenant, name: step.name }
  if ('finalizer' in step) return { op: step.op, key, finalizer: step.finalizer }
  if ('status' in step) {
    const ifVersion = side.version(step.name) - (step.isStale ? 1 : 0)
    return { op: 'status', key, status: { size: step.status }, ifVersion }
  }
  return 'size' in step ? draftCommand(step, key, side) : { op: 'delete', key }
}

function draftCommand(step: DraftStep, key: Draft['key'], side: Side): Command {
  const { op, owner, ifAbsent, ifGeneration } = step
  const ownerRefs = owner === undefined ? [] : [{ kind: 'Thing', name: owner, uid: side.uid(owner) ?? 'nobody' }]
  const draft: Draft = {
    key,
    spec: { size: step.size },
    labels: { label: step.label },
    ...(op === 'create' ? { ownerRefs } : {}),
    ...(step.isHeld ? { finalizers: ['f'] } : {}),
    ...(step.usage === undefined ? {} : { usage: { size: step.usage } }),
  }
  if (op === 'create') return { op, draft }
  return { op, draft, ...(ifAbsent ? { ifAbsent } : {}), ...(ifGeneration ? { ifGeneration } : {}) }
}

async function answerOf(store: Store, commands: readonly Command[]): Promise<unknown> {
  try {
    const { results } = await store.write(system, commands, {}, call)
    return { did: results.map((result) => result.did) }
  } catch (error) {
    const { reason, issues } = error as { reason: string; issues: { path: string }[] }
    return { reason, at: Number(/^commands\[(\d+)\]/.exec(issues[0]?.path ?? '')?.[1]) }
  }
}

export function propertiesContract(make: MakeSubject): void {
  describe('any sequence of batches', () => {
    const store = sharedStore(make)

    it('does what the model does, answers what it answers, and tells it in the feed', {
      timeout: 120_000,
    }, async () => {
      const batch = fc.oneof(
        { weight: 3, arbitrary: fc.tuple(step) },
        { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 4 }) },
      )
      const batches = fc.array(batch, { minLength: 1, maxLength: 40, size: 'max' })
      await fc.assert(
        fc.asyncProperty(batches, (all) => compare(store(), all)),
        { numRuns: 40 },
      )
    })
  })
}

async function compare(store: Store, batches: readonly (readonly Step[])[]): Promise<void> {
  const { tenant } = freshTenant()
  const { resourceVersion: start } = await store.write(system, [], {}, call)
  const model = new Model(start)
  const list = async () => (await store.list(system, { kind: 'Thing', tenant, limit: 100 }, call)).items
  for (const steps of batches) {
    const stored = new Map((await list()).map((item) => [item.metadata.name, item.metadata]))
    const real: Side = { uid: (of) => stored.get(of)?.uid, version: (of) => stored.get(of)?.resourceVersion ?? 1 }
    const known = new Map(model.objects)
    const modelled: Side = {
      uid: (of) => (known.has(of) ? uidOf(known.get(of) ?? { name: of, serial: 0 }) : undefined),
      version: (of) => known.get(of)?.version ?? 1,
    }
    const answer = await answerOf(
      store,
      steps.map((one) => commandOf(one, tenant, real)),
    )
    expect(answer).toEqual(model.write(steps.map((one) => commandOf(one, tenant, modelled))))
    const items = await list()
    expect(items.map(summary)).toEqual(
      [...model.objects.values()].map(modelSummary).sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
    expect(items.filter((item) => item.metadata.labels.label === 'x').map((item) => item.metadata.name)).toEqual(
      (await store.list(system, { kind: 'Thing', tenant, limit: 100, labelSelector: 'label=x' }, call)).items.map(
        (item) => item.metadata.name,
      ),
    )
    expect((await store.usage(system, tenant, call)).size ?? 0n).toBe(model.used)
    expect((await store.write(system, [], {}, call)).resourceVersion).toBe(model.version)
  }
  expect(await replay(store, tenant, start)).toEqual(await list())
}

/** What somebody knows who was not there, but has read every change. */
async function replay(store: Store, tenant: string, since: number): Promise<unknown[]> {
  const known = new Map<string, unknown>()
  for (const change of await untilBookmark(store.changes(system, { tenant, since }, call))) {
    if (change.type === 'put') known.set(change.object.metadata.name, change.object)
    if (change.type === 'gone') known.delete(change.object.metadata.name)
  }
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
}

type Summary = { readonly name: string; readonly [field: string]: unknown }

function summary({ metadata, spec, status }: Awaited<ReturnType<Store['list']>>['items'][number]): Summary {
  const { name, generation, labels, finalizers, deletionRequestedAt } = metadata
  return { name, generation, labels, finalizers, isDeleting: deletionRequestedAt !== undefined, spec, status }
}

function modelSummary({ name, generation, labels, finalizers, isDeleting, spec, status }: ModelObject): Summary {
  return { name, generation, labels, finalizers, isDeleting, spec, status }
}

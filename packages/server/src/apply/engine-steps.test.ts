import { Fault, kinds, type ObjectOf, Secret, type WorkloadSpec } from '@gantry/core'
import { type Engine, type Observed, replicaSteps } from '@gantry/providers'
import { type Store, systemScope } from '@gantry/store'
import { describe, expect, it } from 'vitest'
import type { EngineHub, Sight } from '../engines/engine-hub.ts'
import { workloadOf } from '../testing/plane.ts'
import { engineStepsOf } from './engine-steps.ts'

const call = { signal: new AbortController().signal }
const spec = (more: object = {}): WorkloadSpec => kinds.Workload.parse(workloadOf('web', { replicas: 2, ...more })).spec
const other = { services: [{ name: 'web', image: 'app:2' }] }

const live = { metadata: { uid: 'u1' }, spec: spec(), status: { stable: 'a', releases: 3 } } as ObjectOf<'Workload'>
const instance = {
  spec: { workload: 'web', uid: 'u1', slot: 'a', provider: 'local', release: 3, replicas: 2 },
  status: { specHash: 'h3' },
} as ObjectOf<'Instance'>
const replicas = [0, 1].map((index) => ({ index, engineId: `e${index}`, specHash: 'h3', terminating: false }))
const seen: Sight = { state: 'seen', observed: { replicas } as unknown as Observed, at: new Date(0) }

const provider = (name: string, more: object = {}) => ({ metadata: { name }, spec: { tenants: ['*'], ...more } })

type Knowing = { readonly plan?: Engine['plan']; readonly declares?: ReadonlySet<string> }

function steps(instances: readonly ObjectOf<'Instance'>[], sight: Sight = seen, knowing: Knowing = {}) {
  const { plan = replicaSteps, declares = new Set() } = knowing
  const store = {
    read: async (_: unknown, { name }: { name: string }) =>
      instances.find(({ spec: { workload, slot } }) => name === `${workload}-${slot}`),
    list: async () => ({ items: [provider('local', { default: true }), provider('far')] }),
  } as unknown as Store
  const hub = { engine: () => ({ plan, declares }), sight: () => sight } as unknown as EngineHub
  return engineStepsOf(store, systemScope(), hub, { openContent: async () => new Secret('from the vault') })
}

const about = { tenant: 'default', name: 'web' }

describe('what engines would do', () => {
  it('is to create what is not there', async () => {
    expect(await steps([])({ ...about, live: undefined, after: spec() }, call)).toEqual([
      'create replica 0 in slot a on local (2 replicas wanted)',
      'create replica 1 in slot a on local (2 replicas wanted)',
    ])
  })

  it('is to replace replicas in place for another release, and to add what is missing', async () => {
    expect(await steps([instance])({ ...about, live, after: spec({ replicas: 3, ...other }) }, call)).toEqual([
      'create replica 2 in slot a on local (3 replicas wanted)',
      'replace replica 0 in slot a on local (release v4)',
      'replace replica 1 in slot a on local (release v4)',
    ])
  })

  const reference = `vault:${'0'.repeat(32)}`
  const manifests = (text: string) => spec({ replicas: 1, services: [], source: { manifests: { text } } })

  it('is told of a source that it has with what is in it, from what was sent or from the vault', async () => {
    const plan: Engine['plan'] = (desired) => [
      { verb: 'create', object: desired?.source?.type === 'manifests' ? desired.source.text : '', why: 'said' },
    ]
    const knowing = { plan, declares: new Set(['source:manifests']) }
    const change = { ...about, live: undefined, after: manifests(reference) }
    expect(await steps([], seen, knowing)(change, call)).toEqual(['create from the vault in slot a on local (said)'])
    const sources = new Map([[reference, 'what was sent']])
    expect(await steps([], seen, knowing)({ ...change, sources }, call)).toEqual([
      'create what was sent in slot a on local (said)',
    ])
  })

  it('is nothing where it does not have such a source', async () => {
    expect(await steps([])({ ...about, live: undefined, after: manifests(reference) }, call)).toEqual([
      'nothing on local, which does not offer source:manifests',
    ])
  })

  it('is only to take away what is too many, where nothing else changes', async () => {
    expect(await steps([instance])({ ...about, live, after: spec({ replicas: 1 }) }, call)).toEqual([
      'remove replica 1 in slot a on local (1 replica wanted)',
    ])
    expect(await steps([instance])({ ...about, live, after: spec({ stopGraceSeconds: 3 }) }, call)).toEqual([])
  })

  it.each([
    ['a strategy that fills the other slot', { strategy: { type: 'blue_green' }, ...other }, 'local'],
    ['a move to another provider', { provider: 'far' }, 'far'],
  ])('is to make all anew beside the old, and then to remove that: %s', async (_, more, where) => {
    expect(await steps([instance])({ ...about, live, after: spec(more) }, call)).toEqual([
      `create replica 0 in slot b on ${where} (2 replicas wanted)`,
      `create replica 1 in slot b on ${where} (2 replicas wanted)`,
      'remove replica 0 in slot a on local (the instance is to be removed)',
      'remove replica 1 in slot a on local (the instance is to be removed)',
    ])
  })

  it('is to remove everything of what is deleted', async () => {
    expect(await steps([instance])({ ...about, live, after: undefined }, call)).toHaveLength(2)
  })

  it('is not guessed while nobody can look', async () => {
    const fault = new Fault('engine_unreachable', 'No socket')
    const blind = steps([instance], { state: 'blind', fault, since: new Date(0), last: undefined })
    expect(await blind({ ...about, live, after: spec({ replicas: 1 }) }, call)).toEqual([
      'cannot be told now: No socket',
    ])
  })
})

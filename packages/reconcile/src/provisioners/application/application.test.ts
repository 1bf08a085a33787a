import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { breaking } from '../../testing/breaking.ts'
import { MemoryApplications } from '../../testing/memory-applications.ts'
import { enter } from '../enter.ts'
import { newPass, type Pass, type Verb } from '../provisioner.ts'
import { type ApplicationOptions, application } from './application.ts'
import type { CatalogueEntry } from './catalogue.ts'

const call = { signal: new AbortController().signal }
let clock: VirtualClock
let tool: MemoryApplications
let entry: CatalogueEntry | undefined

beforeEach(() => {
  clock = new VirtualClock()
  tool = new MemoryApplications({ clock, removeMs: 100 })
  entry = { name: 'cilium', versions: [{ version: '1.2.3', repo: 'oci://charts', source: { chart: 'cilium' } }] }
})

function walk(verb: Verb, more: Partial<ApplicationOptions> = {}, pass: Partial<Pass> = {}) {
  const step = application({
    name: 'cilium',
    owner: { project: 'p', cluster: 'c' },
    driver: tool,
    catalogue: async () => entry,
    version: 'v1.2.3',
    ...more,
  })
  return enter(step, verb, { ...newPass(call), ...pass })
}

const found = () => tool.find('cilium')

describe('the gate of an application', () => {
  it('yields after it was created, however healthy it looks', async () => {
    expect(await walk('provision')).toMatchObject({ state: 'yield', path: 'cilium', reason: 'cilium to be synced' })
    expect(await walk('provision')).toMatchObject({ state: 'done' })
  })

  it.each([
    [{ synced: false, health: 'healthy' }, false, 'yield'],
    [{ synced: true, health: 'progressing' }, false, 'yield'],
    [{ synced: true, health: undefined }, false, 'yield'],
    [{ synced: true, health: 'missing' }, false, 'yield'],
    [{ synced: true, health: 'degraded' }, false, 'yield'],
    [{ synced: true, health: 'degraded' }, true, 'done'],
    [{ synced: false, health: 'degraded' }, true, 'yield'],
    [{ synced: true, health: 'healthy' }, false, 'done'],
  ] as const)('with %j and degraded allowed %s is %s', async (told, allowDegraded, state) => {
    await walk('provision')
    found().told = told
    expect(await walk('provision', { allowDegraded })).toMatchObject({ state })
  })

  it('does not write what has not changed, and yields again after it has', async () => {
    await walk('provision')
    await walk('provision')
    await walk('provision')
    expect(tool.journal).toEqual(['apply cilium'])
    expect(await walk('provision', { namespace: 'other' })).toMatchObject({ state: 'yield' })
    expect(tool.journal).toEqual(['apply cilium', 'apply cilium'])
    expect(found().spec.namespace).toBe('other')
  })

  it('has the same identity whatever the order of its labels', async () => {
    await walk('provision', { owner: { a: '1', b: '2' } })
    expect(await walk('provision', { owner: { b: '2', a: '1' } })).toMatchObject({ state: 'done' })
    expect(found().id.labels).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('waits for an earlier one that still goes before it makes a new one', async () => {
    await walk('provision')
    await walk('deprovision')
    expect(await walk('provision')).toMatchObject({ state: 'yield', reason: 'the earlier cilium to be gone' })
    await clock.advance(100)
    await walk('provision')
    expect(await walk('provision')).toMatchObject({ state: 'done' })
  })
})

describe('taking an application down', () => {
  it('is done when it is absent', async () => {
    expect(await walk('deprovision')).toMatchObject({ state: 'done' })
    expect(tool.journal).toEqual([])
  })

  it('asks once, yields while it goes, and is done when it is gone', async () => {
    await walk('provision')
    expect(await walk('deprovision')).toMatchObject({ state: 'yield', reason: 'cilium to be gone' })
    expect(await walk('deprovision')).toMatchObject({ state: 'yield' })
    await clock.advance(100)
    expect(await walk('deprovision')).toMatchObject({ state: 'done' })
    expect(tool.journal).toEqual(['apply cilium', 'delete cilium'])
    expect(tool.size).toBe(0)
  })

  it('is done once it was accepted, when the whole cluster vanishes', async () => {
    const cluster = { id: 'c', config: { server: 's', kubeconfig: 'k' }, background: true }
    await walk('provision')
    expect(await walk('deprovision', {}, { cluster })).toMatchObject({ state: 'done' })
    expect(await walk('deprovision', {}, { cluster })).toMatchObject({ state: 'done' })
  })

  it('removes the record only, when the cluster is gone already', async () => {
    const cluster = { id: 'c', config: undefined, background: false }
    await walk('provision')
    expect(await walk('deprovision', {}, { cluster })).toMatchObject({ state: 'done' })
    expect(tool.size).toBe(0)
  })

  it('leaves the finalizers of others on it, and waits for them', async () => {
    await walk('provision')
    found().finalizers = ['foreign']
    await walk('deprovision')
    await clock.advance(1000)
    expect(await walk('deprovision')).toMatchObject({ state: 'yield' })
    expect(found().finalizers).toEqual(['foreign'])
    found().finalizers = []
    expect(await walk('deprovision')).toMatchObject({ state: 'done' })
  })

  it('works after the catalogue has lost its entry', async () => {
    await walk('provision')
    entry = undefined
    await walk('deprovision')
    await clock.advance(100)
    expect(await walk('deprovision')).toMatchObject({ state: 'done' })
  })
})

describe('an application that cannot be had', () => {
  const catalogueKey = { kind: 'Application', name: 'cilium' }

  it.each([
    [
      'its entry',
      () => {
        entry = undefined
      },
      'application_not_found',
    ],
    [
      'its version',
      () => {
        entry = { name: 'cilium', versions: [] }
      },
      'version_not_found',
    ],
  ] as const)('because the catalogue lacks %s waits for the catalogue to change', async (_, lose, reason) => {
    lose()
    expect(await walk('provision', { catalogueKey })).toMatchObject({
      state: 'permanent',
      fault: { reason },
      references: [catalogueKey],
    })
  })

  it('because nobody can look is Unknown, not failed', async () => {
    const driver = breaking(tool, () => 'fails before')
    expect(await walk('provision', { driver })).toMatchObject({ state: 'transient', blind: true })
    expect(await walk('deprovision', { driver })).toMatchObject({ state: 'transient', blind: true })
  })
})

describe('hooks', () => {
  const count = () => {
    const calls = { after: 0, before: 0 }
    const generators = {
      afterProvision: async () => void calls.after++,
      beforeDeprovision: async () => void calls.before++,
    }
    return { calls, generators }
  }

  it('run once for each generation that has converged, however many passes that takes', async () => {
    const { calls, generators } = count()
    for (let pass = 0; pass < 4; pass++) await walk('provision', { generators }, { generation: 1 })
    expect(calls.after).toBe(1)
    for (let pass = 0; pass < 4; pass++) await walk('provision', { generators }, { generation: 2 })
    expect(calls.after).toBe(2)
  })

  it('do not run before it is healthy', async () => {
    const { calls, generators } = count()
    await walk('provision', { generators })
    found().told = { synced: true, health: 'progressing' }
    await walk('provision', { generators })
    expect(calls.after).toBe(0)
  })

  it('that fail are tried again, and keep the step from being done', async () => {
    let broken = true
    const generators = {
      afterProvision: async () => {
        if (broken) throw new Fault('engine_unreachable', 'cut off')
      },
    }
    await walk('provision', { generators })
    expect(await walk('provision', { generators })).toMatchObject({ state: 'transient' })
    broken = false
    expect(await walk('provision', { generators })).toMatchObject({ state: 'done' })
  })

  it('before the removal run once, before it is asked for', async () => {
    const { calls, generators } = count()
    await walk('provision', { generators })
    for (let pass = 0; pass < 3; pass++) await walk('deprovision', { generators })
    expect(calls.before).toBe(1)
  })
})

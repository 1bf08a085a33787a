import type { GantryObject } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { nothingFound } from '../../objects/nothing-found.ts'
import { faceCalled } from '../../objects/targets.ts'
import { plain } from '../../output/style.ts'
import { refusal } from './plan.ts'
import { changesTo, watchedRows } from './watch.ts'

const now = Date.parse('2026-01-31T12:00:00Z')
const options = { wide: false, tenants: false, now, style: plain }
const face = faceCalled('wl')

function workload(name: string, state: string, resourceVersion = 1, ready = 1): GantryObject {
  const createdAt = new Date(now - 5000).toISOString()
  const metadata = {
    name,
    tenant: 'default',
    uid: name,
    labels: {},
    annotations: {},
    generation: 1,
    resourceVersion,
    ownerRefs: [],
    finalizers: [],
    createdAt,
  }
  return {
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata,
    spec: { replicas: 2 },
    status: { state, readyReplicas: ready, restarts: 0, release: 3 },
  }
}

const put = (object: GantryObject) => ({ type: 'put' as const, object })

describe('objects that are watched', () => {
  it('are lines with columns that stay, and none that says the same again', () => {
    const rows = watchedRows(face, false)
    expect(rows([put(workload('web', 'running'))], options)).toBe(
      'NAME   STATE          READY   RESTARTS   RELEASE   AGE\nweb    running        1/2     0          v3        5s\n',
    )
    expect(rows([put(workload('web', 'running', 2))], { ...options, now: now + 60_000 })).toBe('')
    expect(rows([put(workload('web', 'provisioning', 3))], options)).toBe(
      'web    provisioning   1/2     0          v3        5s\n',
    )
    expect(rows([{ type: 'gone', object: workload('web', 'running', 4) }], options)).toBe(
      'web    deleted        -       -          -         5s\n',
    )
    expect(rows([put(workload('a-longer-name', 'running', 5))], options)).toMatch(/^a-longer-name {3}running/)
  })

  it('are told again only where they differ, when changes were missed', () => {
    const known = new Map(
      [workload('a', 'running', 1), workload('b', 'running', 1)].map((one) => [`default/${one.metadata.name}`, one]),
    )
    const changes = changesTo(known, [workload('a', 'running', 1), workload('c', 'running', 1)])
    expect(changes.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['gone b', 'put c'])
  })
})

describe('what is asked for', () => {
  const asked = { 'all-tenants': false, watch: false }
  const named = [{ face, names: ['web'] }]
  it.each([
    [named, { ...asked, selector: 'a=b' }, 'leave one out'],
    [named, { ...asked, 'all-tenants': true }, 'A name is of one tenant'],
    [
      [
        { face, names: [] },
        { face: faceCalled('rt'), names: [] },
      ],
      { ...asked, watch: true },
      'One kind can be watched at a time',
    ],
  ])('is refused where it does not go together', (targets, flags, text) => {
    expect(refusal(targets, flags)).toContain(text)
  })

  it('may be nothing, and that is said of the right place', () => {
    expect(refusal(named, { ...asked, watch: true })).toBeUndefined()
    const nothing = (words: readonly string[], more: object = {}) =>
      nothingFound({ faces: words.map(faceCalled), tenant: 'acme', ...more })
    expect(nothing(['wl'])).toBe('No workloads in tenant acme.\n')
    expect(nothing(['wl', 'rt'], { selector: 'a=b' })).toBe('No workloads or routes with a=b in tenant acme.\n')
    expect(nothing(['wl'], { allTenants: true })).toBe('No workloads in any tenant.\n')
    expect(nothing(['tn'])).toBe('No tenants.\n')
  })
})

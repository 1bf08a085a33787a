import type { ReplicaList } from '@gantry/api'
import { describe, expect, it } from 'vitest'
import type { AnyObject } from '../../objects/access.ts'
import { faceCalled } from '../../objects/targets.ts'
import { rowOf } from '../../output/object-table.ts'
import { plain } from '../../output/style.ts'
import { objectText } from './object-text.ts'
import { specText } from './spec-text.ts'
import { failingServices } from './workload-look.ts'
import { workloadText } from './workload-text.ts'

const now = Date.parse('2026-01-31T12:00:00Z')
const since = new Date(now - 300_000).toISOString()
const frame = { now, columns: 80, style: plain }

type Service = ReplicaList['items'][number]['services'][string]

const service = (more: Partial<Service>): Service => ({
  role: 'main',
  phase: 'running',
  restarts: 0,
  ready: true,
  ...more,
})

function replicas(services: Record<string, Partial<Service>>, blind: ReplicaList['blind'] = {}): ReplicaList {
  const all = Object.fromEntries(Object.entries(services).map(([name, more]) => [name, service(more)]))
  const item = {
    engineId: 'e',
    index: 0,
    release: 'v1',
    specHash: 'h',
    terminating: false,
    services: all,
    endpoints: [],
    slot: 'a' as const,
    provider: 'local',
  }
  return { items: [item], blind }
}

const workload: AnyObject = {
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: {
    name: 'web',
    tenant: 'default',
    uid: 'u',
    labels: {},
    annotations: {},
    generation: 3,
    resourceVersion: 9,
    ownerRefs: [],
    finalizers: ['gantry.dev/engine'],
    createdAt: since,
    deletionRequestedAt: since,
  },
  spec: {
    type: 'deployment',
    replicas: 3,
    run: 'running',
    strategy: { type: 'rolling', onFailure: 'rollback' },
    dependsOn: [{ workload: 'db' }],
    services: [],
  },
  status: {
    observedGeneration: 2,
    state: 'running',
    readyReplicas: 3,
    conditions: [{ type: 'Ready', status: 'Unknown', reason: 'blind', message: 'cannot be looked at', since }],
  },
}

describe('what is said of an object', () => {
  it('is unknown with its age where nobody can look, in tables and in words', async () => {
    const face = faceCalled('wl')
    const cells = rowOf(face, workload, { wide: false, tenants: false, now, style: plain })
    const texts = cells.map((cell) => (typeof cell === 'string' ? cell : cell.text))
    expect(texts).toEqual(['web', 'unknown (5m)', '?/3', '-', '-', '5m'])
    const text = await objectText({ face, object: workload, events: [], more: 0, inside: undefined }, frame)
    expect(text).toContain(`  State:     unknown since ${since} (5m ago)\n`)
    expect(text).toContain('  Generation:     3, and what is seen is about 2\n')
    expect(text).toContain(`  To be deleted:  since ${since} (5m ago), held by gantry.dev/engine\n`)
    expect(text).toMatch(/\nEvents:\n {2}none are kept\n$/)
  })

  it('has short values on their line, and the rest as YAML', async () => {
    const spec = { hosts: ['a', 'b'], port: 80, off: false, none: {}, nothing: undefined, deep: { x: 1 }, text: 'a\nb' }
    expect(await specText(spec)).toBe('hosts:  a, b\nport:   80\noff:    false\ndeep:\n  x: 1\ntext:\n  |-\n  a\n  b\n')
    expect(await specText(undefined)).toBe('')
  })

  it('shows replicas, what could not be looked at, and what failing ones wrote', () => {
    const blind = { a: { reason: 'cut_off', message: 'no route', since } }
    const list = replicas(
      { web: { phase: 'crashed', ready: false, restarts: 4, exitCode: 3, message: 'ended' } },
      blind,
    )
    const wrote = [
      { service: 'web', replica: 0, slot: 'a' as const, lines: ['bad \u001b[2Jnews'] },
      { service: 'log', replica: 0, slot: 'a' as const, lines: [] },
      { service: 'db', replica: 1, slot: 'b' as const, why: 'nobody there' },
    ]
    const { spec, parts } = workloadText(workload, { replicas: list, rollout: undefined, wrote }, frame)
    expect(spec).toContain('After:     workload/db\n')
    expect(parts).toMatch(/\n {2}a\/0 +web +v1 +crashed +no +4 +3 +- +ended\n/)
    expect(parts).toContain(
      `  Slot a cannot be looked at since ${since} (5m ago): no route. This is how it was before.\n`,
    )
    expect(parts).toContain('\nLast lines of web in replica a/0:\n  bad  [2Jnews\n')
    expect(parts).toContain('\nLast lines of log in replica a/0:\n  it wrote nothing\n')
    expect(parts).toContain('\nLast lines of db in replica b/1:\n  could not be read: nobody there\n')
  })
})

describe('a service', () => {
  it.each([
    [{}, false],
    [{ phase: 'crashed' }, true],
    [{ ready: false }, false],
    [{ ready: false, restarts: 2 }, true],
    [{ ready: false, exitCode: 1 }, true],
    [{ ready: true, restarts: 9 }, false],
    [{ phase: 'completed', ready: false, exitCode: 1 }, false],
    [{ phase: 'starting', ready: false, exitCode: 0 }, false],
  ] as [Partial<Service>, boolean][])('as %j fails: %s', (more, fails) => {
    expect(failingServices(replicas({ web: more }))).toEqual(fails ? [{ service: 'web', replica: 0, slot: 'a' }] : [])
  })
})

describe('a workload that is made of what others wrote', () => {
  const helm = { valuesFiles: ['vault:1'], values: 'vault:2', set: { 'image.tag': 'vault:3' } }
  const repository = { url: 'https://charts.example', name: 'nginx', version: '1.2' }

  it.each<[object, RegExp]>([
    [{ manifests: { text: 'vault:1' } }, /^Made of: +manifests$/m],
    [
      { helm: { ...helm, chart: { repository }, releaseName: 'front' } },
      /^Made of: +the chart nginx 1\.2 of https:\/\/charts\.example as front, with 1 of values, image\.tag set$/m,
    ],
    [
      { helm: { ...helm, valuesFiles: [], set: {}, chart: { archive: 'vault:4' } } },
      /^Made of: +a chart that was sent$/m,
    ],
  ])('says of what, and nothing of what is in it: %j', (source, expected) => {
    const object = { ...workload, spec: { ...(workload.spec as object), services: [], source, dependsOn: [] } }
    const { spec } = workloadText(object, { replicas: replicas({}), rollout: undefined, wrote: [] }, frame)
    expect(spec).toMatch(expected)
    expect(spec).not.toContain('vault:')
  })
})

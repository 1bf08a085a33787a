import type { PlanReply } from '@gantry/api'
import { describe, expect, it } from 'vitest'
import { plain } from '../../output/style.ts'
import { applyLine, pruneOf } from './input.ts'
import { planText } from './render.ts'
import { eachField, valueText, writtenPaths } from './values.ts'

const sealed = `vault:${'0'.repeat(32)}`

const steps = [
  {
    action: 'create',
    object: { kind: 'Workload', tenant: 'default', name: 'web' },
    changes: [
      {
        path: '',
        op: 'add',
        new: {
          metadata: { labels: { team: 'web' }, annotations: {} },
          spec: {
            replicas: 2,
            type: 'deployment',
            services: [{ name: 'web', command: ['node', 'x.mjs'], configFiles: [{ name: 'app', content: sealed }] }],
          },
        },
      },
    ],
    reverts: [],
    restarts: ['starts 2 replicas'],
    engine: ['create process web-a-0'],
  },
  {
    action: 'update',
    object: { kind: 'Workload', tenant: 'default', name: 'api' },
    changes: [
      { path: 'spec.replicas', op: 'replace', old: 5, new: 2 },
      { path: 'spec.services[api].env.DEBUG', op: 'add', new: '' },
      { path: 'metadata.labels.old', op: 'remove', old: 'yes' },
      {
        path: 'spec.services[api].configFiles[app].content',
        op: 'replace',
        old: sealed,
        new: `vault:${'1'.repeat(32)}`,
      },
      { path: 'spec.services', op: 'reorder', old: ['a', 'b'], new: ['b', 'a'] },
    ],
    reverts: [{ path: 'spec.replicas', from: 5, to: 2, by: 'token:alice' }],
    restarts: [],
    engine: [],
  },
  { action: 'keep', object: { kind: 'Secret', name: 'db' }, changes: [], reverts: [], restarts: [], engine: [] },
  {
    action: 'delete',
    object: { kind: 'Workload', name: 'old' },
    changes: [{ path: '', op: 'remove', old: { spec: {} } }],
    reverts: [],
    restarts: ['stops 1 replica'],
    engine: [],
  },
] as unknown as PlanReply['steps']

const document = {
  metadata: { labels: { team: 'web' } },
  spec: { replicas: 2, services: [{ name: 'web', command: [1] }] },
}

describe('a plan', () => {
  it('reads as what changes, what that does, and whose change it sets back', () => {
    const written = () => writtenPaths(document)
    expect(planText({ steps }, { style: plain, columns: 80, written })).toBe(`+ workload/web is new
    + metadata.labels.team: web
    + spec.replicas: 2
    + spec.services[web].name: web
    + spec.services[web].command: ["node","x.mjs"]
      and 3 fields with their defaults
    → starts 2 replicas
      create process web-a-0

~ workload/api changes
    ~ spec.replicas: 5 → 2
    + spec.services[api].env.DEBUG: ""
    - metadata.labels.old: yes
    ~ spec.services[api].configFiles[app].content: other content, kept in the v…
    ~ spec.services: ["a","b"] → ["b","a"]
    ! sets back spec.replicas: 5, which token:alice had set, to 2
    → nothing is restarted

- workload/old is deleted
    → stops 1 replica

1 object to create, 1 to change, 1 to delete, 1 to leave as it is.
`)
  })

  it('says that there is nothing to do', () => {
    const [, , keep] = steps
    expect(planText({ steps: keep ? [keep, keep] : [] }, { style: plain })).toBe(
      'Nothing to do: 2 objects are as the files say.\n',
    )
  })

  it('is only the changes for a diff, and nothing where there are none', () => {
    const text = planText({ steps: steps.slice(1, 3) }, { style: plain, changesOnly: true })
    expect(text).toContain('~ spec.replicas: 5 → 2')
    expect(text).not.toContain('sets back')
    expect(planText({ steps: steps.slice(2, 3) }, { style: plain, changesOnly: true })).toBe('')
  })

  it('never shows what is kept in the vault', () => {
    expect(planText({ steps }, { style: plain })).not.toContain('vault:')
    expect(valueText([{ content: sealed }])).toBe('[{"content":"(content)"}]')
  })
})

describe('what is added whole', () => {
  it('is told field by field, entries by name, without what is empty', () => {
    const value = {
      a: { 'x.y/z': 1, none: {}, list: [] },
      b: [
        { name: 'n', c: true },
        { d: null, e: 2 },
      ],
      f: ['x'],
    }
    expect(eachField({ op: 'add', path: 'spec', new: value }).map(({ path }) => path)).toEqual([
      'spec.a["x.y/z"]',
      'spec.b[n].name',
      'spec.b[n].c',
      'spec.b[1].e',
      'spec.f',
    ])
  })
})

describe('the line that does what was planned', () => {
  const flags = { filename: ["it's.yaml"], 'env-file': ['e'], var: ['A=1 2'], prune: true, selector: 'a=b' }
  it('says the same again, quoted for a shell', () => {
    expect(applyLine(flags, 'acme', 'abc.d')).toBe(
      `gantry -n acme apply -f 'it'\\''s.yaml' --env-file e --var 'A=1 2' --prune -l a=b --plan abc.d`,
    )
  })

  it('deletes nothing that was not named by its labels', () => {
    expect(pruneOf(flags)).toEqual({ labelSelector: 'a=b' })
    expect(() => pruneOf({ prune: true, selector: undefined })).toThrow('--prune needs -l')
    expect(() => pruneOf({ prune: false, selector: 'a=b' })).toThrow('-l is for --prune')
  })
})

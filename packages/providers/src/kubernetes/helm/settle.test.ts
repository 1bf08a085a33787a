import { describe, expect, it } from 'vitest'
import { leavingOf, remnantsOf, without } from './release/objects.ts'
import type { KnownRevision } from './release/revisions.ts'
import { seenFrom } from './run/machine.ts'
import { settled } from './settle.ts'
import { operation, type RevisionInput, revision } from './testing/revision.ts'

const object = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n${more}`
const made = (number: number, input: RevisionInput, ...names: string[]): KnownRevision => ({
  ...revision(number, input),
  manifest: names.map((name) => `---\n${object(name)}`).join(''),
})
const names = (objects: readonly { readonly name: string }[]): readonly string[] => objects.map(({ name }) => name)
const record = { releaseName: 'web', hooks: true, timeoutSeconds: 60 }

describe('what is left of a release', () => {
  it('is all that any revision or hook had, each once', () => {
    const hooked = { ...made(2, {}, 'a', 'b'), hooks: [{ manifest: object('hook') }] }
    expect(names(leavingOf([made(1, {}, 'a'), hooked]))).toEqual(['a', 'b', 'hook'])
  })

  it('by failed revisions is what the newest has not, and only since the last good one', () => {
    const history = [
      made(1, { status: 'failed' }, 'long-ago'),
      made(2, { status: 'superseded' }, 'a'),
      made(3, { status: 'failed' }, 'a', 'extra'),
      made(4, {}, 'a', 'b'),
    ]
    expect(names(remnantsOf(history))).toEqual(['extra'])
  })

  it('is never what the newest has, however it is written', () => {
    const top = made(2, {}, 'a')
    const leaving = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'home' },
      { apiVersion: 'v1', kind: 'Secret', name: 'a' },
    ]
    expect(without(leaving, top)).toEqual([leaving[1]])
  })
})

describe('a record after its helm has ended', () => {
  const running = operation({ of: 'r2' })
  const history = [made(1, { of: 'r1', status: 'superseded' }, 'a'), made(2, { of: 'r2' }, 'a')]
  const failure = { specHash: 'h2', reason: 'rollout_stalled', message: 'x', at: 1, tries: 3, againAt: 2 } as const

  it('knows what was deployed, and has forgotten what failed before', () => {
    const after = settled({ ...record, operation: running, failure, leaving: [] }, running, history, '', 5)
    expect(after).toEqual({ ...record, known: { content: 'content of r2', release: 'r2', specHash: 'h2' } })
  })

  it('counts failures of the same wish', () => {
    const broken = [made(1, { of: 'r1' }, 'a'), made(2, { of: 'r2', status: 'failed', description: 'no' }, 'a')]
    const after = settled({ ...record, operation: running, failure }, running, broken, 'Error: no', 5)
    expect(after).toMatchObject({ failure: { tries: 4, message: 'helm upgrade failed: no', at: 5 } })
    expect(after).not.toHaveProperty('operation')
  })

  it('remembers through an uninstall what that made room for, and what has to go', () => {
    const leaving = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }]
    const uninstall = operation({ verb: 'uninstall' })
    expect(settled({ ...record, operation: uninstall, failure, leaving }, uninstall, [], '', 5)).toEqual({
      ...record,
      failure,
      leaving,
    })
  })
})

describe('where a process can be looked for', () => {
  const here = { name: 'one', boot: 'b1', processes: 'p1' }
  it.each([
    ['here', here, 'seen'],
    ['in a container beside us', { ...here, processes: 'p2' }, 'unseen'],
    ['on another machine', { name: 'two', boot: 'b2', processes: 'p1' }, 'unseen'],
    ['before this machine was started anew', { ...here, boot: 'b0' }, 'gone'],
  ] as const)('%s', (_title, there, expected) => {
    expect(seenFrom(here, there)).toBe(expected)
  })
})

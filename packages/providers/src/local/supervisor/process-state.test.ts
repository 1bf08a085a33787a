/** The fold of the journal and what follows from it: whatever happened, there is one thing to do next, and it leads on. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextMove } from './next-move.ts'
import {
  freshState,
  type Group,
  type JournalRecord,
  type ProcessState,
  type PublicSpec,
  withRecord,
} from './process-state.ts'
import { restartVerdict } from './restart-verdict.ts'
import { phaseOf } from './seen-of.ts'

const spec: PublicSpec = {
  id: 'p',
  labels: {},
  role: 'workload',
  argv: ['x'],
  cwd: '/',
  env: {},
  restart: { policy: 'always', maxPerHour: 3 },
  stopGraceMs: 10,
  secretNames: [],
}
const group: Group = { marker: 'm', kind: 'marker', limitFolders: [] }
const main = { pid: 7, started: 'boot 1' }

/** What may happen, given what is; each as the records that are written of it. */
const happenings = {
  stop: (state: ProcessState) =>
    state.wanted === 'running' ? [{ type: 'wanted', id: 'p', wanted: 'stopped' } as const] : [],
  start: (state: ProcessState) => (state.main ? [] : [{ type: 'wanted', id: 'p', wanted: 'running' } as const]),
  exit: (state: ProcessState, now: number) => (state.main ? [exit(state, now)] : []),
} as const

function exit(state: ProcessState, at: number): JournalRecord & { type: 'exit' } {
  const record = {
    type: 'exit',
    id: 'p',
    exit: { code: 1, startedAt: state.startedAt ?? at, at, asked: state.ending },
  } as const
  if (state.ending) return record
  return { ...record, verdict: restartVerdict({ code: 1, lastedMs: 0, now: at }, spec.restart, state.history) }
}

/** Does the next move, as the keeper would. */
function move(state: ProcessState, now: number): ProcessState {
  const next = nextMove(state, now, true)
  if (next.move === 'launch') {
    const intended = withRecord(state, {
      type: 'intent',
      id: 'p',
      run: state.run + 1,
      again: next.again,
      group,
      at: now,
    })
    return withRecord(intended, { type: 'started', id: 'p', main, at: now })
  }
  if (next.move !== 'end') return state
  const ended = state.main ? withRecord(state, exit(state, now)) : state
  return withRecord(ended, { type: 'gone', id: 'p' })
}

describe('the state of a process', () => {
  it('leads, from whatever has happened, to running where that is wanted, and to nothing living where not', () => {
    const happening = fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[]))
    fc.assert(
      fc.property(fc.array(fc.tuple(happening, fc.boolean()), { maxLength: 30 }), (events) => {
        let state = freshState(spec)
        let now = 1_000_000
        for (const [each, moves] of events) {
          now += 10_000
          for (const record of happenings[each](state, now)) state = withRecord(state, record)
          if (moves) state = move(state, now)
        }
        for (let rounds = 0; rounds < 5; rounds += 1) {
          now += 100_000
          state = move(state, now)
        }
        const phase = phaseOf(state)
        expect(nextMove(state, now, true).move).toBe('rest')
        if (state.wanted === 'stopped') expect(phase).toBe('stopped')
        else expect(['running', 'failed']).toContain(phase)
        if (phase !== 'running') expect(state.group).toBeUndefined()
        expect(state.restarts).toBeLessThan(state.run + 1)
      }),
    )
  })

  it.each([
    ['to be started', freshState(spec), 'launch', 'waiting'],
    ['running', { ...freshState(spec), group, main }, 'rest', 'running'],
    ['asked to end', { ...freshState(spec), group, main, wanted: 'stopped', ending: true }, 'end', 'stopping'],
    ['asked to run again before it ended', { ...freshState(spec), group, main, ending: true }, 'end', 'stopping'],
    ['stopped', { ...freshState(spec), wanted: 'stopped' }, 'rest', 'stopped'],
    ['ended well', { ...freshState(spec), verdict: { outcome: 'ended' } }, 'rest', 'ended'],
    [
      'with something left of its tree',
      { ...freshState(spec), group, verdict: { outcome: 'ended' } },
      'end',
      'stopping',
    ],
  ] as const)('%s is told and treated as such', (_title, state, next, phase) => {
    expect([nextMove(state, 0, true).move, phaseOf(state)]).toEqual([next, phase])
  })

  it('without its secrets is tried once, to say so, and then waits for them', () => {
    const state = freshState({ ...spec, secretNames: ['A'] })
    expect(nextMove(state, 0, false)).toEqual({ move: 'launch', again: false })
    const told = withRecord(state, {
      type: 'problem',
      id: 'p',
      problem: { reason: 'secrets_missing', message: '', since: 0 },
    })
    expect(nextMove(told, 0, false)).toEqual({ move: 'rest' })
    expect(nextMove(told, 0, true)).toMatchObject({ move: 'launch' })
  })
})

import { describe, expect, it } from 'vitest'
import { type Action, actionLeadsTo, actions, actionTable, admitAction, legalActions, type Verdict } from './actions.ts'
import { type InstanceState, instanceStates } from './instance-state.ts'

/** One letter per state in the order of `instanceStates`: legal, already, or refused. */
const expected: Record<Action, string> = {
  provision: 'aaaRalRl',
  deploy: 'lllRllRR',
  scale: 'lllRllRR',
  start: 'aaalllRR',
  stop: 'lllaalRR',
  restart: 'RllRRlRR',
  rollback: 'RllRllRR',
  deprovision: 'llllllaa',
}

const letter = { legal: 'l', already: 'a', illegal: 'R' } as const satisfies Record<Verdict, string>

describe('the table of actions', () => {
  it.each(actions)('says for every state whether one may %s', (action) => {
    expect(instanceStates.map((state) => letter[actionTable[action][state]]).join('')).toBe(expected[action])
  })

  it('lets every state but the last be left by some action', () => {
    for (const state of instanceStates) {
      const ways = actions.filter((action) => actionTable[action][state] !== 'illegal')
      expect(ways, state).not.toEqual([])
    }
  })

  it('names a state that each action is on its way through', () => {
    for (const action of actions) expect(instanceStates).toContain(actionLeadsTo[action])
  })

  it('does not call an action legal in the state it leads to if repeating it would do nothing', () => {
    expect(actionTable.start.starting).toBe('already')
    expect(actionTable.stop.stopping).toBe('already')
    expect(actionTable.deprovision.destroying).toBe('already')
  })
})

describe('admitting an action', () => {
  it('answers whether there is something to do', () => {
    expect(admitAction('start', 'stopped')).toBe('legal')
    expect(admitAction('start', 'running')).toBe('already')
  })

  it.each<[Action, InstanceState, RegExp]>([
    ['restart', 'stopped', /Cannot restart while stopped; possible now: .*start/],
    ['deploy', 'destroying', /Cannot deploy while destroying; wait until it is gone/],
  ])('refuses to %s while %s, and says what can be done', (action, state, message) => {
    expect(() => admitAction(action, state)).toThrow(
      expect.objectContaining({
        kind: 'conflict',
        reason: 'illegal_transition',
        message: expect.stringMatching(message),
      }),
    )
  })

  it('agrees with the table in every cell', () => {
    for (const action of actions) {
      for (const state of instanceStates) {
        const verdict: Verdict = actionTable[action][state]
        if (verdict === 'illegal') expect(() => admitAction(action, state)).toThrow()
        else expect(admitAction(action, state)).toBe(verdict)
        expect(legalActions(state).includes(action)).toBe(verdict === 'legal')
      }
    }
  })
})

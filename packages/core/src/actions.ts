/**
 * Which action is legal in which state: data, so that the server refuses, a provider refuses and a button is grey for
 * the same reason. The table governs what is asked for; what is observed may be anything.
 */
import { Fault } from './fault.ts'
import type { InstanceState } from './instance-state.ts'

/** `already`: nothing is left to do, and saying it again is no error. */
export type Verdict = 'legal' | 'already' | 'illegal'

export const actions = ['provision', 'deploy', 'scale', 'start', 'stop', 'restart', 'rollback', 'deprovision'] as const

export type Action = (typeof actions)[number]

const everywhere = {
  provisioning: 'legal',
  starting: 'legal',
  running: 'legal',
  stopping: 'legal',
  stopped: 'legal',
  failed: 'legal',
  destroying: 'illegal',
  destroyed: 'illegal',
} as const satisfies Record<InstanceState, Verdict>

export const actionTable = {
  provision: {
    provisioning: 'already',
    starting: 'already',
    running: 'already',
    stopping: 'illegal',
    stopped: 'already',
    failed: 'legal',
    destroying: 'illegal',
    destroyed: 'legal',
  },
  deploy: { ...everywhere, stopping: 'illegal' },
  scale: { ...everywhere, stopping: 'illegal' },
  start: { ...everywhere, provisioning: 'already', starting: 'already', running: 'already' },
  stop: { ...everywhere, stopping: 'already', stopped: 'already' },
  restart: { ...everywhere, provisioning: 'illegal', stopping: 'illegal', stopped: 'illegal' },
  rollback: { ...everywhere, provisioning: 'illegal', stopping: 'illegal' },
  deprovision: { ...everywhere, destroying: 'already', destroyed: 'already' },
} as const satisfies Record<Action, Record<InstanceState, Verdict>>

/** The state that an action is on its way through, until the engine says otherwise. */
export const actionLeadsTo = {
  provision: 'provisioning',
  deploy: 'starting',
  scale: 'starting',
  start: 'starting',
  stop: 'stopping',
  restart: 'starting',
  rollback: 'starting',
  deprovision: 'destroying',
} as const satisfies Record<Action, InstanceState>

export function legalActions(state: InstanceState): readonly Action[] {
  return actions.filter((action) => actionTable[action][state] === 'legal')
}

/** Whether there is something to do (`legal`) or not (`already`); throws where the table says that it cannot be done. */
export function admitAction(action: Action, state: InstanceState): 'legal' | 'already' {
  const verdict: Verdict = actionTable[action][state]
  if (verdict !== 'illegal') return verdict
  const possible = legalActions(state)
  const next = possible.length > 0 ? `possible now: ${possible.join(', ')}` : 'wait until it is gone'
  throw new Fault('illegal_transition', `Cannot ${action} while ${state}; ${next}`)
}

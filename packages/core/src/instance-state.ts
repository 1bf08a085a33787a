/** The states that an instance, a replica or a service can be seen in, and the worst of several. */

export const instanceStates = [
  'provisioning',
  'starting',
  'running',
  'stopping',
  'stopped',
  'failed',
  'destroying',
  'destroyed',
] as const

export type InstanceState = (typeof instanceStates)[number]

/** The larger number wins an aggregate: what needs a person first, then what is on its way, then what is well. */
const severity = {
  running: 0,
  starting: 1,
  provisioning: 2,
  stopped: 3,
  stopping: 4,
  destroyed: 5,
  destroying: 6,
  failed: 7,
} as const satisfies Record<InstanceState, number>

/** `undefined` for none at all: there is nothing to be in a state. */
export function worstState(states: Iterable<InstanceState>): InstanceState | undefined {
  let worst: InstanceState | undefined
  for (const state of states) if (worst === undefined || severity[state] > severity[worst]) worst = state
  return worst
}

/** A positive no outweighs "could not look", and that outweighs yes. `undefined` means unknown. */
export function worstReady(all: Iterable<boolean | undefined>): boolean | undefined {
  let worst: boolean | undefined = true
  for (const ready of all) {
    if (ready === false) return false
    if (ready === undefined) worst = undefined
  }
  return worst
}

export type ServiceOutlook = {
  readonly role: 'main' | 'sidecar' | 'init'
  readonly state: InstanceState
  /** `undefined`: could not look. */
  readonly ready: boolean | undefined
}

export type Aggregate = { readonly state: InstanceState; readonly ready: boolean | undefined }

/**
 * State and readiness of the whole, worst-of. An init service that ended well is done and counts no more; while one
 * runs, the whole is still starting.
 */
export function aggregate(services: readonly ServiceOutlook[]): Aggregate | undefined {
  const counted = services.filter(({ role, state }) => role !== 'init' || state !== 'stopped')
  const state = worstState(
    counted.map(({ role, state }) => (role === 'init' && state === 'running' ? 'starting' : state)),
  )
  if (state === undefined) return undefined
  return { state, ready: worstReady(counted.map(({ role, ready }) => (role === 'init' ? false : ready))) }
}

/** A workload from its making to its end, with deaths on the way. */
import { type Acted, act, type Made } from './act.ts'
import { type ActionName, nothing } from './actions.ts'
import { actionsOf, type KindOfLife } from './kinds-of-life.ts'
import type { Rig } from './rig.ts'
import type { Task } from './schedule.ts'
import { type Bare, bareOf } from './verdict.ts'

const name = 'life'

export type Living = {
  readonly rig: Rig
  /** What is there without a workload; `undefined`: not known yet. */
  readonly bare: Bare
  readonly makes: ReadonlyMap<ActionName, Made>
}

/** Everything once, without a death. */
export const wholeLife = (kind: KindOfLife): readonly Task[] =>
  actionsOf(kind).map((action) => ({ action, target: undefined }))

const shortestLife = ({ outer }: KindOfLife): readonly Task[] => outer.map((action) => ({ action, target: undefined }))

/** Tells of each action as it ends. After one that went wrong there are no more: what comes then would be wrong as well. */
export async function* live({ rig, bare, makes }: Living, tasks: readonly Task[]): AsyncGenerator<Acted> {
  let wanted = nothing
  for (const { action, target } of tasks) {
    wanted = action.wants(wanted)
    const acted = await act({ rig, name, bare, action, wanted, target, makes: makes.get(action.name) })
    yield acted
    if (acted.wrong.length > 0) return
  }
}

/** What is there for good once there was a workload, and therefore nothing that is left over. */
export async function warmUp(rig: Rig, kind: KindOfLife): Promise<Bare> {
  for await (const { wrong, action } of live({ rig, bare: undefined, makes: new Map() }, shortestLife(kind))) {
    if (wrong.length > 0) throw new Error(`${action} does not work: ${wrong.join('; ')}`)
  }
  return await bareOf(rig)
}

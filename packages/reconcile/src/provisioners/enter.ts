/** The one way into a step: never twice at once, nothing thrown but the caller's own abort, paths written on the way out. */
import { under } from '../results/combine.ts'
import { failed } from '../results/from-error.ts'
import { type Result, waiting } from '../results/result.ts'
import type { Pass, Provisioner, Verb } from './provisioner.ts'

/** Steps that somebody is inside of, also from a pass that was given up and has not noticed yet. */
const inside = new WeakSet<Provisioner>()

export async function enter(step: Provisioner, verb: Verb, pass: Pass): Promise<Result> {
  pass.signal.throwIfAborted()
  if (inside.has(step)) return waiting(step.name, 'an earlier pass to leave this step')
  inside.add(step)
  try {
    return under(step.name, await step[verb](pass))
  } catch (error) {
    pass.signal.throwIfAborted()
    return failed(step.name, error)
  } finally {
    inside.delete(step)
  }
}

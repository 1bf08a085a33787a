/** Pure: the status of an object after a pass. */
import type { Condition, GantryObject, Status } from '@gantry/core'
import { conditionsFor, restingConditions } from '../results/conditions.ts'
import { type Leaf, leavesOf, type Result } from '../results/result.ts'

/** How one step ended, as a user reads it. */
export type StepStatus = { readonly state: Leaf['state']; readonly message: string }

/** Every step that was entered, by its path; everything else that was in the status stays. */
export function statusAfter(object: GantryObject, result: Result, now: number): Status {
  const deleting = object.metadata.deletionRequestedAt !== undefined
  return {
    ...object.status,
    observedGeneration: object.metadata.generation,
    conditions: conditionsFor(result, conditionsOf(object), { now, deleting }),
    steps: Object.fromEntries(leavesOf(result).map((leaf) => [leaf.path, stepStatus(leaf)])),
  }
}

/** Nobody works on it at the moment. What is known about it stays as it was. */
export function statusAtRest(object: GantryObject, reason: string, message: string, now: number): Status {
  return { ...object.status, conditions: restingConditions(reason, message, conditionsOf(object), { now }) }
}

function conditionsOf(object: GantryObject): readonly Condition[] {
  return object.status.conditions ?? []
}

function stepStatus(leaf: Leaf): StepStatus {
  switch (leaf.state) {
    case 'done':
      return { state: leaf.state, message: '' }
    case 'yield':
      return { state: leaf.state, message: `waiting for ${leaf.reason}` }
    case 'transient':
    case 'permanent':
      return { state: leaf.state, message: leaf.fault.message }
    default:
      return leaf satisfies never
  }
}

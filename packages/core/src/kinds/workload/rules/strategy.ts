import type { Finding } from '../../../validation/issues.ts'
import type { StrategyFields, StrategyType } from '../strategy.ts'
import type { WorkloadRule } from './rule.ts'

type Special = Exclude<keyof StrategyFields, 'type' | 'minReadySeconds' | 'progressDeadlineSeconds' | 'onFailure'>

const belongsTo = {
  maxSurge: 'rolling',
  maxUnavailable: 'rolling',
  autoPromote: 'blue_green',
  warmSeconds: 'blue_green',
  steps: 'canary',
  analysis: 'canary',
} as const satisfies Record<Special, StrategyType>

export const fieldsOfItsType: WorkloadRule = (_, { strategy }) =>
  (Object.keys(belongsTo) as Special[])
    .filter((field) => strategy[field] !== undefined && belongsTo[field] !== strategy.type)
    .map((field) => ({
      path: ['strategy', field],
      message: `is for the strategy ${belongsTo[field]}, and this one is ${strategy.type}`,
    }))

export const somethingMayMove: WorkloadRule = ({ strategy }) =>
  strategy.type === 'rolling' && strategy.maxSurge === 0 && strategy.maxUnavailable === 0
    ? [{ path: ['strategy', 'maxUnavailable'], message: 'must be at least 1 where maxSurge is 0, or nothing can move' }]
    : []

/** Two replicas with one identity must never run at once. */
export const statefulOneByOne: WorkloadRule = ({ type, strategy }) => {
  if (type !== 'stateful_set' || strategy.type === 'recreate') return []
  if (strategy.type !== 'rolling') {
    const message = `must be recreate, or rolling with maxSurge 0, in a stateful_set; ${strategy.type} runs two at once`
    return [{ path: ['strategy', 'type'], message }]
  }
  if (strategy.maxSurge === 0) return []
  return [{ path: ['strategy', 'maxSurge'], message: 'must be 0 in a stateful_set: a replica cannot run twice' }]
}

export const canaryClimbs: WorkloadRule = ({ strategy }) => {
  if (strategy.type !== 'canary') return []
  return strategy.steps.flatMap(({ weight, pauseSeconds, manual }, at): Finding[] => {
    const path = ['strategy', 'steps', at]
    const before = strategy.steps[at - 1]?.weight ?? -1
    const found: Finding[] = []
    if (weight <= before)
      found.push({ path: [...path, 'weight'], message: `must be more than ${before}, the step before` })
    if ((pauseSeconds === undefined) === (manual === undefined)) {
      const has = manual === undefined ? 'neither' : 'both'
      found.push({ path, message: `must have one of pauseSeconds and manual, and has ${has}` })
    }
    return found
  })
}

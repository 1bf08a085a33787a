import type { ConditionStatus } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { workload } from '../testing/samples.ts'
import { type Dependency, unmetDependencies } from './dependencies.ts'

const that = (name: string, ready: ConditionStatus | undefined): Dependency => {
  const condition = ready && { type: 'Ready', status: ready, reason: 'x', message: '', since: '' }
  return { workload: name, found: workload({}, { status: condition ? { conditions: [condition] } : {} }) }
}

describe('what a workload depends on', () => {
  it.each<[string, Dependency[], string | undefined]>([
    ['nothing', [], undefined],
    ['one that is ready', [that('db', 'True')], undefined],
    ['one that is not', [that('db', 'False')], 'workload "db" to be ready'],
    ['one that nobody can look at', [that('db', 'Unknown')], 'workload "db" to be ready'],
    ['one that was never looked at', [that('db', undefined)], 'workload "db" to be ready'],
    [
      'one that is not there',
      [{ workload: 'db', found: undefined }],
      'workload "db", which does not exist, to be ready',
    ],
    ['two, of which one is ready', [that('db', 'True'), that('cache', 'False')], 'workload "cache" to be ready'],
    [
      'two that are not',
      [that('db', 'False'), that('cache', 'False')],
      'workload "db" and workload "cache" to be ready',
    ],
  ])('is waited for: %s', (_, dependencies, waiting) => {
    expect(unmetDependencies(dependencies)).toBe(waiting)
  })
})

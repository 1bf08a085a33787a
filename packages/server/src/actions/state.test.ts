import type { InstanceState, ObjectOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { stateForAction } from './state.ts'

describe('the state that actions are judged by', () => {
  it.each<['running' | 'stopped', InstanceState | undefined, boolean, InstanceState]>([
    ['running', undefined, false, 'provisioning'],
    ['running', 'running', false, 'running'],
    ['running', 'failed', false, 'failed'],
    ['running', 'stopped', false, 'starting'],
    ['running', 'stopping', false, 'starting'],
    ['stopped', 'running', false, 'stopping'],
    ['stopped', 'stopped', false, 'stopped'],
    ['stopped', undefined, false, 'stopped'],
    ['running', 'running', true, 'destroying'],
  ])('asked to be %s, seen %s, deleted %s: %s', (run, state, deleted, expected) => {
    const metadata = deleted ? { deletionRequestedAt: '2026-01-01T00:00:00Z' } : {}
    expect(stateForAction({ metadata, spec: { run }, status: { state } } as ObjectOf<'Workload'>)).toBe(expected)
  })
})

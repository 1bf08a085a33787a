import { type HealthCheckSpec, healthCheckSpec } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExecSession } from '../exec.ts'
import { Checkup, type CheckupParts } from './checkup.ts'

const byCommand = healthCheckSpec.parse({ command: ['is-well'], startSeconds: 1, onUnhealthy: 'restart' })
const byPort = healthCheckSpec.parse({ tcp: { port: 'http' }, startSeconds: 1 })
const open: Checkup[] = []

afterEach(() => {
  for (const checkup of open.splice(0)) checkup.end()
})

function checking(dial: CheckupParts['dial'] = () => undefined) {
  const clock = new VirtualClock(0)
  const told: string[] = []
  const checkup = new Checkup({
    clock,
    random: () => 0,
    dial,
    changed: () => told.push('changed'),
    ready: () => told.push('ready'),
    unhealthy: () => told.push('unhealthy'),
  })
  open.push(checkup)
  const begin = (check: HealthCheckSpec, run: number, exitCode = 0): void => {
    const exit = Promise.resolve({ ended: 'exited', exitCode } as const)
    const session = { stdout: silent(), stderr: silent(), exit } as Partial<ExecSession> as ExecSession
    checkup.begin(check, { run, startedAt: 0, fresh: true, exec: async () => session })
  }
  return { clock, checkup, told, begin }
}

async function* silent(): AsyncIterable<Uint8Array> {
  // Says nothing.
}

describe('the health check of a run', () => {
  it('tells of that run alone, and begins anew with the next', async () => {
    const { clock, checkup, told, begin } = checking()
    begin(byCommand, 1)
    await clock.advance(10)
    expect(checkup.health(1)).toMatchObject({ ready: true, everReady: true })
    expect([checkup.health(2), checkup.health(undefined)]).toEqual([undefined, undefined])
    begin(byCommand, 1)
    expect(checkup.health(1)?.everReady).toBe(true)
    begin(byCommand, 2)
    expect(checkup.health(2)?.everReady).toBe(false)
    expect(told).toEqual(['ready'])
  })

  it('asks for a restart where that is wanted of what is not well', async () => {
    const { clock, checkup, told, begin } = checking()
    begin(byCommand, 1, 3)
    await clock.advance(60_000)
    expect(checkup.health(1)).toMatchObject({ ready: false, message: expect.stringContaining('code 3') })
    expect(told).toContain('unhealthy')
  })

  it('is not passed by what has no address yet', async () => {
    const { clock, checkup, told, begin } = checking()
    begin(byPort, 1)
    await clock.advance(60_000)
    expect(checkup.health(1)?.message).toContain('no address yet')
    expect(told).not.toContain('unhealthy')
  })

  it('ends with the run', async () => {
    const { clock, checkup, told, begin } = checking()
    begin(byCommand, 1, 3)
    checkup.end()
    await clock.advance(60_000)
    expect([checkup.health(1), told]).toEqual([undefined, []])
  })
})

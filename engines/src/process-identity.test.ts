import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemClock } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { endProcess, identify, isAlive } from './process-identity.ts'

const forever = ['-e', 'setInterval(() => {}, 1000)']
const call = { clock: systemClock, patienceMs: 5_000, signal: new AbortController().signal }

describe('the identity of a process', () => {
  it('stays the same for as long as the process lives, and is gone with it', async () => {
    const child = spawn(process.execPath, forever)
    await once(child, 'spawn')
    const identity = identify(child.pid ?? 0)
    if (!identity) throw new Error('the child was not found')
    expect(isAlive(identity)).toBe(true)
    expect(await endProcess(identity, ['SIGKILL'], call)).toBe(true)
    expect(isAlive(identity)).toBe(false)
  })

  it('never lets a process be ended that only has the same number', async () => {
    const child = spawn(process.execPath, forever)
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    expect(await endProcess({ pid, started: 'at another time' }, ['SIGKILL'], call)).toBe(false)
    expect(identify(pid)).toBeDefined()
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  it('goes on to the next signal when one is ignored', async () => {
    const stubborn = "process.on('SIGTERM', () => {}); process.stdout.write('up'); setInterval(() => {}, 1000)"
    const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const identity = identify(child.pid ?? 0)
    if (!identity) throw new Error('the child was not found')
    const ended = once(child, 'exit')
    await endProcess(identity, ['SIGTERM', 'SIGKILL'], { ...call, patienceMs: 100 })
    expect(await ended).toEqual([null, 'SIGKILL'])
  })

  it('is nothing for a number that no process has', () => {
    expect(identify(2 ** 22 + 1)).toBeUndefined()
  })
})

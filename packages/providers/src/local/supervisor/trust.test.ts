/** Who is taken for whom. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { bearersOf, markerName, markingOf } from '../../proc/marker.ts'
import { sendSignal } from '../../proc/processes.ts'
import { identityOf } from './testing/site.ts'
import { byMarker } from './tracking/by-marker.ts'
import { findMain, isTheSame } from './trust.ts'

describe('a process named in the journal', () => {
  const started: ReturnType<typeof spawn>[] = []
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
  })

  async function waiting(env: Record<string, string>, program = ''): Promise<ReturnType<typeof identityOf>> {
    const child = spawn(process.execPath, ['-e', `${program}; console.log('up'); setInterval(() => {}, 1000)`], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    started.push(child)
    if (child.stdout) await once(child.stdout, 'data')
    return identityOf(child.pid ?? 0)
  }

  const group = (marker: string) => byMarker.open('p.1', marker)

  it('is the one that bears its mark, and no other, also with the same pid', async () => {
    const ours = await waiting({ [markerName]: 'p.1.aaaa' })
    const other = await waiting({ [markerName]: 'p.1.bbbb' })
    const stranger = await waiting({ A: '1' })
    expect(isTheSame(ours, group('p.1.aaaa'), byMarker)).toBe(true)
    expect(isTheSame(other, group('p.1.aaaa'), byMarker)).toBe(false)
    expect(isTheSame(stranger, group('p.1.aaaa'), byMarker)).toBe(false)
    expect(isTheSame({ ...ours, started: 'earlier' }, group('p.1.aaaa'), byMarker)).toBe(false)
    expect(sendSignal({ ...ours, started: 'earlier' }, 'SIGKILL')).toBe(false)
    expect(bearersOf(markerName, 'p.1.aa')).toEqual([])
    expect(bearersOf(markerName, 'p.1.aaaa').map(({ pid }) => pid)).toEqual([ours.pid])
    expect(findMain(group('p.1.aaaa'))).toEqual(ours)
  })

  it('may have written over its environment, as some do to show a title', async () => {
    const titled = await waiting({ [markerName]: 'p.1.cccc' }, `process.title = 'x'.repeat(4000)`)
    const marking = markingOf(titled.pid, 'p.1.cccc')
    expect(['same', 'overwritten']).toContain(marking)
    expect(isTheSame(titled, group('p.1.cccc'), byMarker)).toBe(true)
  })
})

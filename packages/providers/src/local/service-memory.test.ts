import { VirtualClock } from '@gantry/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { EngineLog } from '../log-line.ts'
import { Link } from './link.ts'
import type { ServiceRecord } from './records.ts'
import { ServiceMemory } from './service-memory.ts'
import type { ProcessSeen } from './supervisor/process-seen.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

const open: (() => void)[] = []

afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A supervisor of which only the output is ever asked. */
function remembering(lines: readonly string[] = []) {
  const clock = new VirtualClock(1000)
  const output = async function* (): AsyncIterable<EngineLog> {
    for (const line of lines) yield { type: 'lines', at: new Date(0), stream: 'stderr', text: `${line}\n`, cursor: '1' }
  }
  const link = new Link({ output } as Partial<Supervisor> as Supervisor)
  const told = { changes: 0 }
  const record: ServiceRecord = { name: 'web', role: 'main', dependsOn: [], ports: [], secret: false }
  const memory = new ServiceMemory({
    id: 'e1.web',
    record,
    link,
    clock,
    random: () => 0.5,
    quote: (line) => line,
    changed: () => {
      told.changes += 1
    },
    ready: () => undefined,
    unhealthy: () => undefined,
  })
  open.push(() => memory.stop())
  return { clock, memory, told }
}

const seen = (phase: ProcessSeen['phase'], more: Partial<ProcessSeen> = {}): ProcessSeen => ({
  id: 'e1.web',
  labels: {},
  role: 'workload',
  phase,
  run: 1,
  restarts: 0,
  notEnforced: [],
  ...more,
})

const crashed = (restarts: number, at: number): ProcessSeen =>
  seen('waiting', {
    restarts,
    run: restarts + 1,
    lastExit: { code: 3, startedAt: new Date(at - 10), at: new Date(at), asked: false },
  })

describe('what is remembered of a service', () => {
  it('does not believe an answer over what was heard since it was asked for', async () => {
    const { clock, memory } = remembering()
    const asked = clock.monotonic()
    await clock.advance(1)
    memory.see(seen('stopped'), true)
    await clock.advance(1)
    memory.see(seen('running'), false, asked)
    memory.see(undefined, false, asked)
    expect(memory.process?.phase).toBe('stopped')
    memory.see(undefined, false, clock.monotonic())
    expect(memory.process).toBeUndefined()
  })

  it('tells nobody of what has not changed', () => {
    const { memory, told } = remembering()
    memory.see(seen('running'), true)
    memory.see(seen('running'), true)
    expect(told.changes).toBe(1)
  })

  it('knows the last line of what ended, and takes the third end in a row for a habit until it is stable', async () => {
    const { clock, memory } = remembering(['first', 'cannot open database'])
    for (const restarts of [1, 2]) memory.see(crashed(restarts, clock.now()), true)
    expect(memory.facts.crashingSince).toBeUndefined()
    await clock.advance(500)
    memory.see(crashed(3, clock.now()), true)
    await clock.advance(0)
    expect(memory.facts).toMatchObject({ crashingSince: 1500, lastLine: 'cannot open database' })
    await clock.advance(1000)
    memory.see(crashed(4, clock.now()), true)
    expect(memory.facts.crashingSince).toBe(1500)
    await clock.advance(60_000)
    expect(memory.facts.crashingSince).toBeUndefined()
  })

  it('keeps the time of the first word about what stands in its way', async () => {
    const { clock, memory } = remembering()
    memory.trouble('port 80 is taken')
    await clock.advance(1000)
    memory.trouble('port 80 is taken')
    expect(memory.facts.trouble?.at).toEqual(new Date(1000))
    memory.trouble(undefined)
    expect(memory.facts.trouble).toBeUndefined()
  })
})

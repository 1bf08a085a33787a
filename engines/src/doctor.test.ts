import { describe, expect, it } from 'vitest'
import { doctorReport } from './doctor.ts'
import type { EngineStatus } from './status.ts'

const folders = { state: '/s', cache: '/c' }
const postgres = { name: 'postgres', version: '1.2' } as const

describe('the report of the doctor', () => {
  it.each<[string, Partial<EngineStatus>, string]>([
    ['an engine that would start', { state: 'available' }, 'available: started when a test asks for it'],
    ['an engine that cannot be had', { state: 'missing', why: 'no package' }, 'missing: no package'],
    [
      'an engine whose last start failed',
      { state: 'available', failed: { why: 'no memory', at: 0 } },
      'missing: its last start failed at 1970-01-01T00:00:00.000Z: no memory',
    ],
    [
      'a running engine',
      { state: 'running', keeper: { state: 'ready', pid: 5, users: 2, standing: false } },
      'running: keeper 5, 2 users',
    ],
    [
      'an engine held by `up`',
      { state: 'running', keeper: { state: 'starting', pid: 5, users: 0, standing: true } },
      'starting: keeper 5, 0 users, held until `down`',
    ],
  ])('names %s', (_, status, text) => {
    const report = doctorReport([{ ...postgres, state: 'available', ...status }], folders)
    expect(report).toBe(`postgres  1.2  ${text}\n\nstate  /s\ncache  /c`)
  })
})

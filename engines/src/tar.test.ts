import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tar } from './tar.ts'

describe('a tar archive made in code', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-tar-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is unpacked by tar as it was meant', () => {
    const long = 'x'.repeat(513)
    const input = tar([
      { path: 'in', folder: true },
      { path: 'in/long', content: long, mode: 0o640 },
      { path: 'in/empty', content: '' },
      { path: 'in/link', link: 'long' },
    ])
    execFileSync('tar', ['-x', '-C', folder], { input })
    expect(readFileSync(join(folder, 'in', 'long'), 'utf8')).toBe(long)
    expect(statSync(join(folder, 'in', 'long')).mode & 0o777).toBe(0o640)
    expect(statSync(join(folder, 'in', 'empty')).size).toBe(0)
    expect(readlinkSync(join(folder, 'in', 'link'))).toBe('long')
  })

  it('is the same bytes for the same entries', () => {
    const entries = [{ path: 'a', content: 'b' }]
    expect(tar(entries).equals(tar(entries))).toBe(true)
  })

  it('refuses a name that the format has no room for', () => {
    expect(() => tar([{ path: 'n'.repeat(101), content: '' }])).toThrow('too long')
  })
})

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { problemOf } from './spawn-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-spawn-'))
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const failed = (code: string) => Object.assign(new Error(code), { code })
const specOf = (program: string) => ({ argv: [program], cwd: folder, env: { PATH: join(folder, 'bin') } })
const reasonOf = (code: string, program: string) => problemOf(failed(code), specOf(program), 0).reason

describe('why a program could not be started', () => {
  it('is that it is nowhere in the PATH, also if a folder of that lets nobody in', () => {
    expect(reasonOf('ENOENT', 'tool')).toBe('program_missing')
    expect(reasonOf('EACCES', 'tool')).toBe('program_missing')
  })

  it('is that it may not be run, if it is there', () => {
    writeFileSync(join(folder, 'bin', 'tool'), '')
    chmodSync(join(folder, 'bin', 'tool'), 0o600)
    expect(reasonOf('EACCES', 'tool')).toBe('program_forbidden')
    expect(reasonOf('EACCES', join(folder, 'bin', 'tool'))).toBe('program_forbidden')
  })

  it('is the folder, before it is the program', () => {
    const spec = { ...specOf('tool'), cwd: join(folder, 'nowhere') }
    expect(problemOf(failed('ENOENT'), spec, 0)).toMatchObject({ reason: 'folder_missing', since: 0 })
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeAt } from './elf.ts'
import { pausePrograms } from './source.ts'

const base = 0x40_0000

describe.each([
  ['amd64', 62],
  ['arm64', 183],
] as const)('the pause program for %s', (name, machine) => {
  const bytes = pausePrograms[name]

  it('is a few hundred bytes', () => {
    expect(bytes.length).toBeLessThan(400)
  })

  it('is an ELF program whose one part is loaded whole, read and run and never written', () => {
    expect(bytes.subarray(0, 7).toString('latin1')).toBe('\x7fELF\x02\x01\x01')
    expect(bytes.readUInt16LE(18)).toBe(machine)
    expect(bytes.readBigUInt64LE(24)).toBe(BigInt(base + codeAt))
    const part = bytes.subarray(64)
    expect(part.readUInt32LE(0)).toBe(1)
    expect(part.readUInt32LE(4)).toBe(5)
    expect(part.readBigUInt64LE(16) % part.readBigUInt64LE(48)).toBe(0n)
    expect(part.readBigUInt64LE(32)).toBe(BigInt(bytes.length))
  })

  it('ends with the set of the three signals that it waits for', () => {
    expect(bytes.readBigUInt64LE(bytes.length - 8)).toBe((1n << 1n) | (1n << 14n) | (1n << 16n))
  })
})

it('is, for arm64, the instructions that a disassembler reads so', () => {
  const code = pausePrograms.arm64.subarray(codeAt, -8)
  const words = Array.from({ length: code.length / 4 }, (_, at) => code.readUInt32LE(at * 4).toString(16))
  expect(words).toEqual([
    ...['d2800000', '10000341', 'd2800002', 'd2800103', 'd28010e8', 'd4000001'], // mov x0,#0; adr x1,set; x2,#0; x3,#8; x8,#135; svc
    ...['92800000', 'd2800001', 'd2800022', 'd2800003', 'd2802088', 'd4000001'], // mov x0,#-1; x1,#0; x2,#1; x3,#0; x8,#260; svc
    ...['f100001f', '54ffff2c'], // cmp x0,#0; b.gt to the mov above
    ...['100001a0', 'd2800001', 'd2800002', 'd2800103', 'd2801128', 'd4000001'], // adr x0,set; mov x1,#0; x2,#0; x3,#8; x8,#137; svc
    ...['f100081f', '54000060'], // cmp x0,#2; b.eq over the next two
    ...['f1003c1f', '54fffde1'], // cmp x0,#15; b.ne to the first mov after the first svc
    ...['d2800000', 'd2800bc8', 'd4000001'], // mov x0,#0; x8,#94; svc
  ])
})

describe('run on this machine', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-pause-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.for(['SIGTERM', 'SIGINT'] as const)('ends with 0 when it is sent %s, and not before', async (signal, { skip }) => {
    const name = ({ x64: 'amd64', arm64: 'arm64' } as const)[process.arch as 'x64' | 'arm64']
    if (process.platform !== 'linux' || name === undefined) return skip('it is a program for Linux on amd64 and arm64')
    const file = join(folder, signal)
    writeFileSync(file, pausePrograms[name], { mode: 0o755 })
    const child = spawn(file, [], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    try {
      const status = (): string => readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const asleep = (): void => {
        expect(status()).toMatch(new RegExp(`^Name:\\s*${signal}$`, 'm'))
        expect(status()).toMatch(/^State:\s*S/m)
        expect(status()).toMatch(/^ShdPnd:\s*0+$/m)
      }
      await vi.waitFor(asleep, { timeout: 30_000, interval: 10 })
      // What it does not end by it takes, and waits on.
      child.kill('SIGCHLD')
      await vi.waitFor(asleep, { timeout: 30_000, interval: 10 })
      expect(child.exitCode).toBeNull()
      child.kill(signal)
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { debianProgram } from '../../testing/debian-program.ts'
import { gantry } from '../../testing/gantry.ts'
import { stateFolder, unitText } from './unit.ts'

const run = promisify(execFile)

/** What systemd itself says of it; nothing, if all is well. */
async function verdict(unit: string): Promise<{ readonly said: string } | { readonly missing: string }> {
  const analyze = await debianProgram('systemd-analyze', 'systemd')
  if ('missing' in analyze) return analyze
  const folder = await mkdtemp(join(tmpdir(), 'gantry-unit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'gantry.service')
  await writeFile(file, unit)
  try {
    const { stdout, stderr } = await run(analyze.program, ['verify', '--man=no', file])
    return { said: stdout + stderr }
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    return { said: `refused (${code}): ${stderr}` }
  }
}

describe('gantry serve --print-unit', () => {
  it.for([
    ['without flags', []],
    ['with an address for others', ['--listen', '0.0.0.0:7400', '--insecure-behind-proxy', '--user', 'root']],
    ['with a folder of its own', ['--data', join(tmpdir(), 'a folder with 100% "odd" $letters')]],
  ] as const)('%s prints a unit that systemd takes', async ([, flags], { skip }) => {
    const { code, stdout, stderr } = await gantry(['serve', '--print-unit', ...flags])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^KillMode=process$/m)
    const judged = await verdict(stdout)
    if ('missing' in judged) return skip(judged.missing)
    expect(judged.said).toBe('')
  })

  it('is held to what systemd says, which would refuse another', async ({ skip }) => {
    const judged = await verdict('[Service]\nExecStart=relative/path\n')
    if ('missing' in judged) return skip(judged.missing)
    expect(judged.said).not.toBe('')
  })

  it('refuses flags that the server would refuse', async () => {
    const { code, stdout, stderr } = await gantry(['serve', '--print-unit', '--listen', '0.0.0.0:7400'])
    expect(stderr).toContain('can be reached from elsewhere')
    expect([code, stdout]).toEqual([2, ''])
  })

  it('writes odd letters so that systemd reads them as they are', () => {
    const unit = unitText({ argv: ['/bin/x', stateFolder, '100%', 'a b', '$HOME', '"'], user: 'gantry', data: '/a %b' })
    expect(unit).toContain('ExecStart=/bin/x %S/gantry 100%% "a b" $$HOME "\\""\n')
    expect(unit).toContain('Environment="GANTRY_CONTEXTS=/a %%b/contexts.json"\n')
    expect(unit).not.toContain('StateDirectory')
  })

  it('takes no capabilities from root, which needs them for users of its own for tenants', () => {
    const of = (user: string) => unitText({ argv: ['/bin/x'], user })
    expect(of('gantry')).toMatch(/^CapabilityBoundingSet=$/m)
    expect(of('root')).not.toContain('CapabilityBoundingSet')
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openTemporary } from '@gantry/engines'
import { afterAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../rules/files.ts'
import { documentedProofs } from './commands.ts'

const rig = mkdtempSync(join(openTemporary(), 'gantry-documents-'))
chmodSync(rig, 0o711)
afterAll(() => rmSync(rig, { recursive: true }))

/** All types and all rules are looked at, on a machine that may do other things as well. */
const patienceMs = 600_000

describe('a command that a page shows', { timeout: patienceMs + 10_000 }, () => {
  const rows = Object.entries(documentedProofs).flatMap(([command, proof]) =>
    'run' in proof ? [[command, proof] as const] : [],
  )
  // One after the other, as a reader would: `down` ends what `up` started.
  it.each(rows)('does what the page says: %s', async (_, { run, code, prints }) => {
    const [program = '', ...args] = run
    const child = spawn(program, args, {
      cwd: repositoryRoot,
      env: { ...process.env, GANTRY_ENGINES_DIR: join(rig, 'state') },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(patienceMs),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk)
      })
    }
    const [ended] = (await once(child, 'close')) as [number | null]
    expect(output).toMatch(prints)
    expect(ended, output).toBe(code)
  })
})

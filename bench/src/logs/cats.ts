/** One round of the peer: a `cat` for each replica, from its pipe to a file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linesEach, replicas } from './lines.ts'
import { startNoisy } from './start-noisy.ts'

/** Lines a second. */
export async function catRound(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-cats-'))
  try {
    const noisy = await startNoisy()
    const files = await Promise.all(noisy.outputs.map((_, at) => open(join(folder, `${at}.log`), 'w')))
    const cats = noisy.outputs.map((output, at) =>
      spawn('cat', [], { stdio: [output, files[at]?.fd ?? 'ignore', 'inherit'] }),
    )
    const ends = cats.map((cat) => once(cat, 'exit'))
    // Theirs now: what this process reads of it, no cat would.
    for (const output of noisy.outputs) output.destroy()
    await Promise.all(cats.map((cat) => (cat.pid === undefined ? once(cat, 'spawn') : undefined)))
    const from = performance.now()
    noisy.begin()
    await Promise.all(ends)
    const ms = performance.now() - from
    const sizes = await Promise.all(files.map(async (file) => (await file.stat()).size))
    await Promise.all(files.map((file) => file.close()))
    const lines = sizes.reduce((sum, size) => sum + size, 0) / 100
    if (lines !== replicas * linesEach) throw new Error(`cat has stored ${lines} lines`)
    return lines / (ms / 1000)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

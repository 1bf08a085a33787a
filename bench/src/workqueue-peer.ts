/** Builds and asks the peer: client-go's queue, in a small Go program of ours. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildOnce, cacheFolder } from '@gantry/engines'
import type { Load } from './workqueue-load.ts'

export type GoPeer = {
  /** Adds per second for the same load. */
  readonly measure: (load: Load) => Promise<number>
  readonly close: () => void
}

/** The same place from `src` and from `dist`. */
const source = fileURLToPath(new URL('../src/workqueue-peer/', import.meta.url))

/** The running peer, or why there is none. Built once for each version of its source. */
export async function startGoPeer(call: {
  readonly signal: AbortSignal
}): Promise<GoPeer | { readonly missing: string }> {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(source, file)))
  const key = `workqueue-peer-${hash.digest('hex').slice(0, 12)}`
  try {
    const folder = await buildOnce({ root: cacheFolder(), key, build: goBuild }, call)
    return talkTo(join(folder, 'peer'), call)
  } catch (error) {
    call.signal.throwIfAborted()
    return { missing: whyOf(error) }
  }
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && error.code === 'ENOENT' ? 'there is no go on the PATH to build it with' : error.message
}

async function goBuild(folder: string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  const argv = ['build', '-trimpath', '-o', join(folder, 'peer'), '.']
  const built = spawn('go', argv, { cwd: source, stdio: ['ignore', 'ignore', 'pipe'], signal })
  let output = ''
  built.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [code] = await once(built, 'close')
  if (code !== 0) throw new Error(`go build ended with ${code}: ${output.trim()}`)
}

function talkTo(program: string, { signal }: { readonly signal: AbortSignal }): GoPeer {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'], signal })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => undefined)
  return {
    async measure({ case: name, workers, adds, keys }) {
      child.stdin.write(`${name} ${workers} ${adds} ${keys}\n`)
      const { value, done } = await Promise.race([lines.next(), failed])
      if (done) throw new Error('the Go peer ended before it answered')
      const { seconds } = JSON.parse(value) as { seconds: number }
      return adds / seconds
    },
    close: () => child.stdin.end(),
  }
}

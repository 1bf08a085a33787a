/** The peer: Docker Compose, built from its source once per version and kept. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildOnce, cacheFolder } from '@gantry/engines'

const run = promisify(execFile)

type Call = { readonly signal: AbortSignal }

/** Raised by hand, so that a run tomorrow is the run of today. */
const source = 'github.com/docker/compose/v2'
const version = 'v2.40.3'
const linkerFlags = `-s -w -X ${source}/internal.Version=${version}`

/** The program, or why there is none. Several minutes the first time. */
export async function installCompose(call: Call): Promise<{ readonly program: string } | { readonly missing: string }> {
  try {
    const folder = await buildOnce({ root: cacheFolder(), key: `compose-${version}`, build }, call)
    return { program: programIn(folder) }
  } catch (error) {
    call.signal.throwIfAborted()
    return { missing: whyOf(error) }
  }
}

/** Where the source was unpacked to, which is read only: nothing but the program is written. */
async function build(folder: string, call: Call): Promise<void> {
  const { stdout } = await run('go', ['mod', 'download', '-json', `${source}@${version}`], { ...call, cwd: folder })
  const { Dir } = JSON.parse(stdout) as { readonly Dir: string }
  const argv = ['build', '-trimpath', '-ldflags', linkerFlags, '-o', programIn(folder), './cmd']
  await run('go', argv, { ...call, cwd: Dir, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } })
}

function programIn(folder: string): string {
  return join(folder, 'docker-compose')
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && error.code === 'ENOENT' ? 'there is no go on the PATH to build it with' : error.message
}

/** The peer: Caddy from Debian's packages, unpacked into a folder of ours, so that the system is not touched. */
import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildOnce, cacheFolder } from '@gantry/engines'

const run = promisify(execFile)

type Call = { readonly signal: AbortSignal }

/** The program, or why there is none. */
export async function installCaddy(call: Call): Promise<{ readonly program: string } | { readonly missing: string }> {
  try {
    const version = await offered(call)
    const key = `caddy-debian-${version.replaceAll(/[^A-Za-z0-9.-]/g, '_')}`
    const folder = await buildOnce({ root: cacheFolder(), key, build: unpack }, call)
    return { program: join(folder, 'usr', 'bin', 'caddy') }
  } catch (error) {
    call.signal.throwIfAborted()
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return {
      missing: isAbsent ? 'there is no apt here to get it with' : `it could not be had from apt: ${String(error)}`,
    }
  }
}

async function offered(call: Call): Promise<string> {
  const { stdout } = await run('apt-cache', ['show', '--no-all-versions', 'caddy'], call)
  const version = /^Version: (\S+)/m.exec(stdout)?.[1]
  if (version === undefined) throw new Error('apt knows no package caddy')
  return version
}

async function unpack(folder: string, call: Call): Promise<void> {
  await mkdir(join(folder, 'download'))
  await run('apt-get', ['download', 'caddy'], { ...call, cwd: join(folder, 'download') })
  const [file] = await readdir(join(folder, 'download'))
  if (file === undefined) throw new Error('apt-get download left nothing behind')
  await run('dpkg', ['-x', join(folder, 'download', file), folder], call)
}

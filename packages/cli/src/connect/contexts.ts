/** The contexts file: servers by name, with the token for each. `gantry serve` and `gantry login` write it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault } from '@gantry/core'

export type Context = { readonly server: string; readonly token?: string; readonly tenant?: string }

export type Contexts = { readonly current?: string; readonly contexts: Readonly<Record<string, Context>> }

export function contextsPath(env: Readonly<Record<string, string | undefined>>): string {
  const config = env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), '.config')
  return env.GANTRY_CONTEXTS ?? join(config, 'gantry', 'contexts.json')
}

/** Nothing in it if there is no such file; refused if it is something else. Read at once: waiting takes more to load than to do. */
export async function readContexts(path: string): Promise<Contexts> {
  try {
    return understood(path, readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} }
    throw error
  }
}

/** For its owner only, and never half of it. */
export async function writeContexts(path: string, contexts: Contexts): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.${process.pid}.next`
  writeFileSync(next, `${JSON.stringify(contexts, undefined, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(next, path)
}

function understood(path: string, text: string): Contexts {
  try {
    const found = JSON.parse(text) as Partial<Contexts>
    if (typeof found.contexts === 'object' && found.contexts !== null) return found as Contexts
  } catch {
    // Said below: what the parser says would quote the file, and with it a token.
  }
  throw new Fault('bad_document', `${path} is not a file of contexts; move it away, and "gantry login" makes a new one`)
}

/** The contexts file: servers by name, with the token for each. `gantry serve` and `gantry login` write it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault } from '@gantry/core'

export type Context = { readonly server: string; readonly token?: string; readonly tenant?: string }

export type Contexts = { readonly current?: string; readonly contexts: Readonly<Record<string, Context>> }

export function contextsPath(env: Readonly<Record<string, string | undefined>>): string {
  // A variable that is empty is as good as none.
  const config = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return env.GANTRY_CONTEXTS || join(config, 'gantry', 'contexts.json')
}

/** Nothing in it if there is no such file; refused if it is something else. Read at once: waiting takes more to load than to do. */
export async function readContexts(path: string): Promise<Contexts> {
  try {
    return understood(path, readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { contexts: {} }
    throw code === undefined ? error : refusal(path, 'read', code, error)
  }
}

/** For its owner only, and never half of it. */
export async function writeContexts(path: string, contexts: Contexts): Promise<void> {
  const next = `${path}.${process.pid}.next`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // What a crash may have left there could be readable by others, and would stay so.
    rmSync(next, { force: true })
    writeFileSync(next, `${JSON.stringify(contexts, undefined, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(next, path)
  } catch (error) {
    throw refusal(path, 'written', String((error as NodeJS.ErrnoException).code), error)
  }
}

function refusal(path: string, what: 'read' | 'written', code: string, cause: unknown): Fault {
  const advice = 'look at who owns it and its folder, or name another file with GANTRY_CONTEXTS'
  return new Fault('bad_request', `The contexts file ${path} cannot be ${what} (${code}); ${advice}`, { cause })
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

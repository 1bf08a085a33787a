/** The contexts file: where clients find a server and the token for it. Others that are in it stay. */
import { Fault } from '@gantry/core'
import { readIfThere, writePrivate } from './private-files.ts'

type Context = { readonly server: string; readonly token: string }
type Contexts = { readonly current?: string | undefined; readonly contexts: Readonly<Record<string, Context>> }

export async function addContext(path: string, name: string, context: Context): Promise<void> {
  const before = read(path, await readIfThere(path))
  const next: Contexts = { current: before?.current ?? name, contexts: { ...before?.contexts, [name]: context } }
  await writePrivate(path, `${JSON.stringify(next, undefined, 2)}\n`)
}

/** A file that we do not understand is somebody's: it is not written over. */
function read(path: string, text: string | undefined): Contexts | undefined {
  if (text === undefined) return undefined
  try {
    const found = JSON.parse(text) as Partial<Contexts>
    // None is the current one after that was removed.
    const isNamed = found.current === undefined || typeof found.current === 'string'
    if (isNamed && typeof found.contexts === 'object' && found.contexts !== null) return found as Contexts
  } catch {
    // Said below: what the parser says would quote the file, and with it a token.
  }
  throw new Fault('bad_document', `${path} is not a file of contexts; move it away and start again`)
}

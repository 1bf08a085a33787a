import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault, isFault } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { type AnyKindClient, type AnyObject, writable } from '../../objects/access.ts'
import { findOne } from '../../objects/find.ts'
import { onlyOne } from '../../objects/only-one.ts'
import { sameWritten, type Written, writtenPart } from '../../objects/written.ts'
import { nameOf } from '../../output/data.ts'
import type { editCommand } from './command.ts'
import { editorOf, openEditor } from './editor.ts'
import { bodyOf, editText, readBody, yamlBody } from './text.ts'

export const run: Run<typeof editCommand> = async ({ args }, world) => {
  const { face, name } = onlyOne([args.KIND, ...(args.NAME === undefined ? [] : [args.NAME])], 'gantry edit')
  const { tenant } = await world.connection()
  const client = await world.client()
  const { signal } = world
  const target = writable(client, tenant, face)
  const before = await findOne(face, name, { client, tenant, signal })
  const original = await yamlBody(writtenPart(before))
  const folder = await mkdtemp(join(tmpdir(), 'gantry-edit-'))
  const file = join(folder, `${face.kind.toLowerCase()}-${name}.yaml`)
  try {
    const after = await edited(before, original, target, file, editorOf(world.env), signal)
    await rm(folder, { recursive: true, force: true })
    if (after === undefined) await world.err.write('Nothing was changed.\n')
    else await world.out.write(`${nameOf(after)} ${sameWritten(before, after) ? 'unchanged' : 'configured'}\n`)
    return 0
  } catch (error) {
    if (bodyOf(await readFile(file, 'utf8').catch(() => '')) === original) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    await world.err.write(`Your text is kept in ${file}\n`)
    throw error
  }
}

/** Opens it until what is in it was taken; nothing if the person changed nothing. */
async function edited(
  before: AnyObject,
  original: string,
  target: AnyKindClient,
  file: string,
  editor: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<AnyObject | undefined> {
  const written = writtenPart(before)
  let body = original
  let wrong: Fault | undefined
  for (;;) {
    await writeFile(file, editText(body, wrong), { mode: 0o600 })
    await openEditor(editor, file)
    const next = bodyOf(await readFile(file, 'utf8'))
    if (next.trim() === '' || next === original) return undefined
    // Left as it was refused: whoever does that has given up.
    if (wrong && next === body) throw wrong
    body = next
    try {
      return await put(await readBody(body, written), before, target, signal)
    } catch (error) {
      if (!isFault(error, 'invalid') && !isFault(error, 'unsupported')) throw error
      wrong = error
    }
  }
}

async function put(next: Written, before: AnyObject, target: AnyKindClient, signal: AbortSignal): Promise<AnyObject> {
  const { uid, generation } = before.metadata
  const object = { ...next, metadata: { ...next.metadata, uid } }
  try {
    return await target.put(object as Parameters<AnyKindClient['put']>[0], { ifGeneration: generation, signal })
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
    const what = `${nameOf(before)} was changed by somebody else while you edited it, so nothing was written`
    throw new Fault(error.reason, `${what}; run "gantry edit ${nameOf(before)}" again, and take over what is yours`, {
      cause: error,
    })
  }
}

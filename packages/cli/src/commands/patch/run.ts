import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AnyObjectInput, ObjectPatch } from '@gantry/api'
import { Fault, mergePatch } from '@gantry/core'
import type { Input, Run } from '../../command/command.ts'
import { writable } from '../../objects/access.ts'
import { findOne } from '../../objects/find.ts'
import { onlyOne } from '../../objects/only-one.ts'
import { sameWritten, writtenPart } from '../../objects/written.ts'
import { dataText, nameOf } from '../../output/data.ts'
import type { World } from '../../world/world.ts'
import { changeLines } from './change-lines.ts'
import type { patchCommand } from './command.ts'
import { readPatch } from './read-patch.ts'

export const run: Run<typeof patchCommand> = async ({ args, flags }, world) => {
  const { face, name } = onlyOne([args.KIND, ...(args.NAME === undefined ? [] : [args.NAME])], 'gantry patch')
  const patch = await readPatch(await patchText(flags, world))
  const { tenant } = await world.connection()
  const client = await world.client()
  const { signal } = world
  const target = writable(client, tenant, face)
  const before = await findOne(face, name, { client, tenant, signal })
  if (flags['dry-run']) {
    // Judged by the server, as the patch itself would be; nothing is written.
    const after = mergePatch(writtenPart(before), patch) as AnyObjectInput
    const { steps } = await client.tenant(tenant).plan([after], { signal })
    await world.out.write(changeLines(nameOf(before), steps, world.out.style))
    return 0
  }
  const after = await target.patch(name, patch as ObjectPatch<'Workload'>, { signal })
  if (flags.output === 'json' || flags.output === 'yaml') await world.out.write(await dataText(after, flags.output))
  else if (flags.output === 'name') await world.out.write(`${nameOf(after)}\n`)
  else {
    await world.out.write(`${nameOf(after)} ${sameWritten(before, after) ? 'unchanged' : 'configured'}\n`)
  }
  return 0
}

async function patchText(
  { patch, 'patch-file': file }: Input<typeof patchCommand>['flags'],
  world: World,
): Promise<string> {
  if ((patch === undefined) === (file === undefined)) {
    throw new Fault('bad_request', 'What is to be changed? Give it with either --patch or --patch-file')
  }
  if (patch === '-') return await world.keys.readAll({ signal: world.signal })
  return patch ?? (await readFile(resolve(world.folder, file ?? ''), 'utf8'))
}

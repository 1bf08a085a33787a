import type { ApplyReply } from '@gantry/api'
import type { Input, Run } from '../../command/command.ts'
import { readDocuments } from '../../documents/documents.ts'
import { dataText } from '../../output/data.ts'
import { goalsOf } from '../../workloads/goal.ts'
import type { World } from '../../world/world.ts'
import { pruneOf } from '../plan/input.ts'
import { revertLine } from '../plan/values.ts'
import { shownKey } from '../plan/words.ts'
import type { applyCommand } from './command.ts'
import { refusedLines } from './refused.ts'

export const run: Run<typeof applyCommand> = async ({ flags }, world) => {
  const reply = await applyFiles(flags, world)
  if (reply && flags.wait) {
    const { waitFor } = await import('../../progress/wait.ts')
    await waitFor(goalsOf(reply), world)
  }
  return 0
}

type Flags = Input<typeof applyCommand>['flags']

/** What was done, told on the way; nothing in a dry run. */
export async function applyFiles(flags: Flags, world: World): Promise<ApplyReply | undefined> {
  const prune = pruneOf(flags)
  const documents = await readDocuments(flags, world)
  const tenant = await world.tenant()
  const how = { ...(prune && { prune }), signal: world.signal }
  try {
    if (flags['dry-run']) {
      const { steps } = await tenant.plan(documents.objects as never, how)
      const did = { create: 'created', update: 'configured', keep: 'unchanged', delete: 'deleted' } as const
      const lines = steps.map(({ action, object }) => `${shownKey(object)} ${did[action]} (dry run)\n`)
      await world.out.write(lines.join(''))
      return undefined
    }
    const reply = await tenant.apply(documents.objects as never, {
      ...how,
      ...(flags.plan !== undefined && { plan: flags.plan }),
    })
    await tell(reply, flags.output ?? 'text', world)
    return reply
  } catch (error) {
    const lines = refusedLines(error, documents.objects)
    if (lines.length > 0 && (flags.output ?? 'text') === 'text') await world.out.write(lines.join(''))
    throw documents.located(error)
  }
}

async function tell({ results }: ApplyReply, format: NonNullable<Flags['output']>, world: World): Promise<void> {
  if (format === 'json' || format === 'yaml') return await world.out.write(await dataText({ results }, format))
  const key = ({ kind, metadata }: (typeof results)[number]['object']) => shownKey({ kind, name: metadata.name })
  const lines = results.map(({ did, object }) => `${key(object)}${format === 'name' ? '' : ` ${did}`}\n`)
  await world.out.write(lines.join(''))
  const reverts = results.flatMap(({ object, reverts }) =>
    reverts.map((revert) => `${world.err.style.warn('Warning:')} ${key(object)}: ${revertLine(revert)}\n`),
  )
  if (reverts.length > 0) await world.err.write(reverts.join(''))
}

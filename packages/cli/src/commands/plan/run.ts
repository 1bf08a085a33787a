import type { PlanReply } from '@gantry/api'
import type { Run } from '../../command/command.ts'
import { readDocuments } from '../../documents/documents.ts'
import { dataText } from '../../output/data.ts'
import type { World } from '../../world/world.ts'
import type { planCommand } from './command.ts'
import { type ApplyFlags, applyLine, pruneOf } from './input.ts'
import { planText, type RenderOptions } from './render.ts'
import { writtenPaths } from './values.ts'
import { keyIn, shownKey } from './words.ts'

export const run: Run<typeof planCommand> = async ({ flags }, world) => {
  const { plan, written } = await planFiles(flags, world)
  const format = flags.output ?? 'text'
  if (format !== 'text') {
    await world.out.write(await dataText(plan, format))
    return 0
  }
  const { style, isTerminal, columns } = world.out
  await world.out.write(planText(plan, { style, written, columns: isTerminal ? columns : undefined }))
  if (plan.steps.some(({ action }) => action !== 'keep')) {
    const line = applyLine(flags, world.globals.tenant, plan.hash)
    await world.out.write(`\nTo do exactly this, or nothing:\n  ${line}\n`)
  }
  return 0
}

type Planned = { readonly plan: PlanReply; readonly written: NonNullable<RenderOptions['written']> }

export async function planFiles(flags: ApplyFlags, world: World): Promise<Planned> {
  const prune = pruneOf(flags)
  const documents = await readDocuments(flags, world)
  try {
    const tenant = await world.tenant()
    const plan = await tenant.plan(documents.objects as never, { ...(prune && { prune }), signal: world.signal })
    return { plan, written: writtenIn(documents.objects) }
  } catch (error) {
    throw documents.located(error)
  }
}

function writtenIn(objects: readonly unknown[]): Planned['written'] {
  const byKey = new Map(
    objects.flatMap((object) => {
      const key = keyIn(object)
      return key === undefined ? [] : [[shownKey(key), object] as const]
    }),
  )
  return (key) => (byKey.has(shownKey(key)) ? writtenPaths(byKey.get(shownKey(key))) : undefined)
}

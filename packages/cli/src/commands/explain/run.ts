import { faces } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { faceCalled } from '../../objects/targets.ts'
import { table } from '../../output/table.ts'
import { wrap } from '../../output/wrap.ts'
import type { explainCommand } from './command.ts'
import { fieldAt } from './field.ts'
import { fieldText, treeText } from './text.ts'

export const run: Run<typeof explainCommand> = async ({ args, flags }, world) => {
  const { columns, style } = world.out
  if (args.PATH === undefined) {
    const rows = faces.map(({ kind, plural, short, scope, madeBy }) => [kind, plural, short, scope, madeBy])
    const next = '"gantry explain KIND" tells more of each.'
    await world.out.write(`${table(['KIND', 'PLURAL', 'SHORT', 'OF', 'WRITTEN BY'], rows)}\n${next}\n`)
    return 0
  }
  const [word = '', ...path] = args.PATH.split('.')
  const face = faceCalled(word)
  // The schemas take longer to load than most commands to run.
  const { objectSchema } = await import('@gantry/core/schemas')
  const found = fieldAt(objectSchema(face.kind), face.kind.toLowerCase(), path)
  const head = `${style.strong(face.kind)} gantry/v1\n${wrap(face.about, columns)}\n\n`
  const said = flags.recursive ? treeText(found, style) : fieldText(found, columns, style)
  await world.out.write(head + said)
  return 0
}

/** Pure: what would change, a line for each field. */
import type { PlanReply } from '@gantry/api'
import type { Style } from '../../output/style.ts'
import { clean } from '../../output/table.ts'

type Step = PlanReply['steps'][number]
type Change = Step['changes'][number]

export function changeLines(name: string, steps: readonly Step[], style: Style): string {
  const changes = steps.flatMap((step) => step.changes)
  if (changes.length === 0) return `${name} would stay as it is\n`
  const effects = steps.flatMap(({ restarts }) => restarts.map((effect) => `  ${effect}\n`))
  return [`${name} would change\n`, ...changes.map((change) => `  ${changeLine(change, style)}\n`), ...effects].join('')
}

function changeLine({ path, op, old, new: next }: Change, style: Style): string {
  if (op === 'add') return style.good(`+ ${path}: ${shown(next)}`)
  if (op === 'remove') return style.bad(`- ${path}: ${shown(old)}`)
  return style.warn(`~ ${path}: ${shown(old)} → ${shown(next)}`)
}

function shown(value: unknown): string {
  const text = clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return text.length > 100 ? `${text.slice(0, 97)}…` : text
}

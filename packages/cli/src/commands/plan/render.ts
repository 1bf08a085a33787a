/** Pure: a plan as a person reads it: what changes, what that does to what runs, and whose change it would set back. */
import type { PlanReply } from '@gantry/api'
import { counted } from '../../output/counted.ts'
import type { Style } from '../../output/style.ts'
import { cut } from '../../progress/view.ts'
import { changeText, eachField, type FieldChange, revertLine } from './values.ts'
import { type Key, shownKey } from './words.ts'

type Step = PlanReply['steps'][number]

export type RenderOptions = {
  readonly style: Style
  /** Longer lines are cut; left out: none is. */
  readonly columns?: number | undefined
  /** Only what changes of the objects, and nothing of what that does. */
  readonly changesOnly?: boolean
  /** What the files say of an object, by path: of a new one, the defaults beside it are only counted. */
  readonly written?: ((object: Key) => ReadonlySet<string> | undefined) | undefined
}

const titles = {
  create: ['+', 'is new'],
  update: ['~', 'changes'],
  delete: ['-', 'is deleted'],
} as const

const signs = { add: '+', remove: '-', replace: '~', reorder: '~' } as const

export function planText({ steps }: Pick<PlanReply, 'steps'>, options: RenderOptions): string {
  const parts = steps.flatMap((step) => (step.action === 'keep' ? [] : [stepLines(step, options).join('\n')]))
  const own = options.changesOnly ? parts : [...parts, summary(steps)]
  return own.length === 0 ? '' : `${own.join('\n\n')}\n`
}

function stepLines({ action, object, changes, reverts, restarts, engine }: Step, options: RenderOptions): string[] {
  if (action === 'keep') return []
  const { style, columns, changesOnly = false } = options
  const fit = (text: string, paint: (text: string) => string): string =>
    paint(columns === undefined ? text : cut(text, columns))
  const [sign, words] = titles[action]
  const paints = { '+': style.good, '-': style.bad, '~': style.warn }
  const all = action === 'delete' ? [] : (changes as FieldChange[]).flatMap(eachField)
  const written = action === 'create' ? options.written?.(object) : undefined
  const fields = written ? all.filter(({ path }) => written.has(path)) : all
  const rest = all.length - fields.length
  const head = `${paints[sign](sign)} ${style.strong(shownKey(object))} ${words}`
  const lines = fields.map((field) => fit(`    ${signs[field.op]} ${changeText(field)}`, paints[signs[field.op]]))
  if (rest > 0) lines.push(fit(`      and ${counted(rest, 'field')} with their defaults`, style.dim))
  if (changesOnly) return [head, ...lines]
  const effects = restarts.length > 0 ? restarts : object.kind === 'Workload' ? ['nothing is restarted'] : []
  return [
    head,
    ...lines,
    ...reverts.map((revert) => fit(`    ! ${revertLine(revert)}`, style.warn)),
    ...effects.map((effect) => fit(`    → ${effect}`, restarts.length > 0 ? style.strong : style.dim)),
    ...engine.map((call) => fit(`      ${call}`, style.dim)),
  ]
}

function summary(steps: readonly Step[]): string {
  const count = (action: Step['action']): number => steps.filter((step) => step.action === action).length
  const parts = [
    count('create') > 0 && `${counted(count('create'), 'object')} to create`,
    count('update') > 0 && `${count('update')} to change`,
    count('delete') > 0 && `${count('delete')} to delete`,
    count('keep') > 0 && `${count('keep')} to leave as ${count('keep') === 1 ? 'it is' : 'they are'}`,
  ].filter((part) => part !== false)
  const isNothing = steps.every(({ action }) => action === 'keep')
  return isNothing
    ? `Nothing to do: ${counted(steps.length, 'object is', 'objects are')} as the files say.`
    : `${parts.join(', ')}.`
}

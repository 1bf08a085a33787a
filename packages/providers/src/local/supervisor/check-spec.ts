/** Pure: what is wrong with a spec, all at once, before anything is touched; and whether two specs are the same. */
import { Fault, type Issue } from '@gantry/core/base'
import type { ProcessSpec } from './process-spec.ts'
import type { PublicSpec } from './process-state.ts'

const idPattern = /^[A-Za-z0-9][-._A-Za-z0-9]{0,127}$/

export function checkId(id: string): void {
  if (!idPattern.test(id))
    throw new Fault('bad_name', `The id ${JSON.stringify(id)} of a process is not one: ${idRule}`)
}

const idRule = 'letters, digits, dots, dashes and underscores, at most 128, beginning with a letter or digit'

export function checkSpec(spec: ProcessSpec): void {
  const issues: Issue[] = []
  const wrong = (path: string, message: string): void => void issues.push({ path, message })
  if (!idPattern.test(spec.id)) wrong('id', `must be ${idRule}`)
  if (!spec.argv[0]) wrong('argv', 'must begin with the program to run')
  if (spec.argv.some((each) => each.includes('\0'))) wrong('argv', 'must not contain a zero byte')
  if (!spec.cwd.startsWith('/')) wrong('cwd', 'must be an absolute path')
  for (const name of [...Object.keys(spec.env), ...Object.keys(spec.secretEnv ?? {})]) {
    if (name === '' || /[=\0]/.test(name)) wrong(`env.${name}`, 'is not a name that a variable can have')
  }
  for (const [name, value] of Object.entries(spec.env)) {
    if (value.includes('\0')) wrong(`env.${name}`, 'must not contain a zero byte')
  }
  if (!(spec.stopGraceMs >= 0)) wrong('stopGraceMs', 'must be 0 or more')
  if (!(spec.restart.maxPerHour >= 0)) wrong('restart.maxPerHour', 'must be 0 or more')
  if (issues.length > 0)
    throw new Fault('schema', `The process ${spec.id} cannot be run as it is described`, { issues })
}

export function publicSpec({ secretEnv, ...rest }: ProcessSpec): PublicSpec {
  return { ...rest, secretNames: Object.keys(secretEnv ?? {}).sort() }
}

/** Both have been through JSON, but their keys may be in any order. */
export function sameSpec(a: PublicSpec, b: PublicSpec): boolean {
  return ordered(a) === ordered(b)
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

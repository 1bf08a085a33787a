/**
 * What `--set` means, without a command line: values there are seen by everybody who may list processes. Keys are paths as
 * Helm reads them (`a.b[0].c`, a backslash before a dot that is part of a name); a value is one value, typed as Helm does.
 */
import { Fault } from '@gantry/core'

type Step = { readonly key: string } | { readonly index: number }
type Values = Readonly<Record<string, unknown>>

/** As Helm has it: a longer list is a mistake. */
const longestList = 65_536

/** What a further values file must hold, over those of which `base` is what came out. Lists have no parts in a file, so a set that reaches into one carries it whole. */
export function setValues(base: Values, set: Readonly<Record<string, string>>): Values {
  const wanted = Object.entries(set).map(([path, text]) => ({ steps: pathOf(path), value: typed(text) }))
  const reachesIntoLists = wanted.some(({ steps }) => steps.some((step) => 'index' in step))
  let result: unknown = reachesIntoLists ? structuredClone(base) : {}
  for (const { steps, value } of wanted) result = placed(result, steps, value)
  return result as Values
}

/** Throws `bad_document`, saying what is wrong with it. */
export function pathOf(path: string): readonly Step[] {
  const wrong = (why: string): Fault => new Fault('bad_document', `The path ${path} ${why}`)
  const steps: Step[] = []
  let name = ''
  let closed = false
  const endName = (): void => {
    if (name === '' && !closed) throw wrong('has an empty part')
    if (name !== '') steps.push({ key: name })
    name = ''
    closed = false
  }
  for (let at = 0; at < path.length; at += 1) {
    const letter = path[at]
    const next = path[at + 1]
    if (letter === '\\' && next !== undefined) {
      name += next
      at += 1
    } else if (letter === '.') endName()
    else if (letter === '[') {
      if (name === '' && !closed) throw wrong('has an index of nothing')
      const end = path.indexOf(']', at)
      const index = path.slice(at + 1, end)
      if (end < 0 || !/^\d+$/.test(index)) throw wrong('has an index that is no number')
      if (Number(index) > longestList) throw wrong(`has an index above ${longestList}`)
      if (name !== '') steps.push({ key: name })
      name = ''
      steps.push({ index: Number(index) })
      closed = true
      at = end
    } else if (closed) throw wrong('has letters behind an index')
    else name += letter
  }
  endName()
  return steps
}

/** As `--set` reads them: true, false, null, whole numbers without a leading nought, `{a,b}`; all else is text. */
export function typed(text: string): unknown {
  if (text.startsWith('{') && text.endsWith('}')) {
    const inner = text.slice(1, -1)
    return inner === '' ? [] : splitAtCommas(inner).map(scalar)
  }
  return scalar(text)
}

function scalar(raw: string): unknown {
  const text = raw.replaceAll(/\\(.)/gs, '$1')
  // What is escaped in any place is meant as text.
  if (text !== raw) return text
  const lower = text.toLowerCase()
  if (lower === 'true') return true
  if (lower === 'false') return false
  if (lower === 'null') return null
  if (text === '0') return 0
  const number = Number(text)
  return /^[+-]?[1-9]\d*$/.test(text) && Number.isSafeInteger(number) ? number : text
}

/** An escaped comma is part of its word. */
const splitAtCommas = (text: string): readonly string[] => text.match(/(?:\\.|[^,\\])+|(?<=^|,)(?=,|$)/gs) ?? []

function placed(into: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value
  if ('index' in step) {
    const list: unknown[] = Array.isArray(into) ? [...into] : []
    while (list.length <= step.index) list.push(null)
    list[step.index] = placed(list[step.index], rest, value)
    return list
  }
  const map = typeof into === 'object' && into !== null && !Array.isArray(into) ? (into as Values) : {}
  return { ...map, [step.key]: placed(map[step.key], rest, value) }
}

/** As Helm merges its files: maps by key, all else the later one. */
export function mergedValues(first: Values, second: Values): Values {
  const merged: Record<string, unknown> = { ...first }
  for (const [key, theirs] of Object.entries(second)) {
    const ours = merged[key]
    merged[key] = isMap(ours) && isMap(theirs) ? mergedValues(ours, theirs) : theirs
  }
  return merged
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

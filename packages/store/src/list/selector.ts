/**
 * Label selectors as kubectl writes them. Every requirement comes down to one of two questions about *marks*, where the
 * label `a: b` leaves the marks `a` and `a=b` on an object: has it any of these, or has it none of them. The index over
 * labels and the filter of a watch answer the same questions.
 */
import { Fault } from '@gantry/core'

export type Selector = {
  /** Of each group at least one mark must be there. Marks of a group exclude each other, or there is only one. */
  readonly any: readonly (readonly string[])[]
  /** None of these may be there. */
  readonly none: readonly string[]
}

export const everything: Selector = { any: [], none: [] }

export type Labels = Readonly<Record<string, string>>

/** The marks that labels leave in the index. */
export function marksOf(labels: Labels): string[] {
  const marks: string[] = []
  for (const key of Object.keys(labels)) marks.push(key, `${key}=${labels[key]}`)
  return marks
}

export function matches(selector: Selector, labels: Labels): boolean {
  return (
    selector.any.every((group) => group.some((mark) => hasMark(labels, mark))) &&
    !selector.none.some((mark) => hasMark(labels, mark))
  )
}

function hasMark(labels: Labels, mark: string): boolean {
  const equals = mark.indexOf('=')
  if (equals < 0) return Object.hasOwn(labels, mark)
  const key = mark.slice(0, equals)
  return Object.hasOwn(labels, key) && labels[key] === mark.slice(equals + 1)
}

const key = '[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?'
const value = '(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?'
const absent = new RegExp(`^!\\s*(${key})$`)
const present = new RegExp(`^(${key})$`)
const compared = new RegExp(`^(${key})\\s*(=|==|!=)\\s*(${value})$`)
const listed = new RegExp(`^(${key})\\s+(in|notin)\\s*\\(([^()]*)\\)$`)
const oneValue = new RegExp(`^${value}$`)

const longest = 4096
const mostMarks = 64

/** Refuses what it does not understand, with the part that is wrong. An empty selector selects everything. */
export function parseSelector(text: string | undefined): Selector {
  if (text === undefined || text.trim() === '') return everything
  if (text.length > longest) throw refusal(`longer than ${longest} characters`)
  const any: string[][] = []
  const none: string[] = []
  for (const part of requirements(text)) {
    const { positive, marks } = requirement(part)
    if (positive) any.push(marks)
    else none.push(...marks)
  }
  const selector = { any, none: [...new Set(none)] }
  if (selector.any.flat().length + selector.none.length > mostMarks) throw refusal(`more than ${mostMarks} values`)
  return selector
}

function requirement(part: string): { positive: boolean; marks: string[] } {
  const isAbsent = absent.exec(part)
  if (isAbsent) return { positive: false, marks: [String(isAbsent[1])] }
  const isPresent = present.exec(part)
  if (isPresent) return { positive: true, marks: [String(isPresent[1])] }
  const isCompared = compared.exec(part)
  if (isCompared) return { positive: isCompared[2] !== '!=', marks: [`${isCompared[1]}=${isCompared[3]}`] }
  const isListed = listed.exec(part)
  if (!isListed) throw refusal(`"${part}" is not a requirement such as a=b, a!=b, a in (x, y), a notin (x), a or !a`)
  const values = new Set(
    String(isListed[3])
      .split(',')
      .map((one) => one.trim()),
  )
  for (const one of values) if (!oneValue.test(one)) throw refusal(`"${one}" is not a label value`)
  return { positive: isListed[2] === 'in', marks: [...values].map((one) => `${isListed[1]}=${one}`) }
}

/** Splits at the commas outside of parentheses. */
function requirements(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}

function refusal(why: string): Fault {
  return new Fault('schema', `The label selector cannot be used: ${why}`, {
    issues: [{ path: 'labelSelector', message: why }],
  })
}

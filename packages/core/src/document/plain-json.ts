/**
 * Whether a value is plain JSON that is safe to walk: no deeper and no larger than the limits, no keys that reach the
 * prototype, no control characters, no dates, functions or infinities. Iterative: it must hold for the deepest input.
 */
import type { Issue } from '../fault.ts'
import { formatPath, type Path } from '../path.ts'
import { documentLimits } from './limits.ts'

type Visit = {
  readonly value: unknown
  readonly parent: Visit | undefined
  readonly key: string | number
  depth: number
}

const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** All C0 and C1 controls but tab, line feed and carriage return, and halves of characters that no encoding can hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Surrogate}/u

/** What is wrong with a text, or `undefined`. */
export function textFault(text: string): string | undefined {
  const found = unprintable.exec(text)
  if (!found) return undefined
  const code = found[0].charCodeAt(0).toString(16).padStart(4, '0')
  return `has the character \\u${code}, which is not allowed in text`
}

export function checkPlainJson(value: unknown, lineOf?: (path: Path) => number): Issue[] {
  return isPlainJson(value) ? [] : faultsOf(value, lineOf)
}

/** The usual case, without remembering where anything is. Breadth first, so that depth is a count and needs no stack. */
function isPlainJson(whole: unknown): boolean {
  let level: unknown[] = [whole]
  let left = documentLimits.values
  for (let depth = 0; level.length > 0; depth += 1) {
    left -= level.length
    if (left < 0) return false
    const below: unknown[] = []
    for (const value of level) {
      if (scalarFault(value) !== undefined) return false
      if (typeof value !== 'object' || value === null) continue
      if (depth >= documentLimits.depth) return false
      if (Array.isArray(value)) for (const item of value) below.push(item)
      else if (!pushFields(below, value)) return false
    }
    level = below
  }
  return true
}

function pushFields(below: unknown[], value: object): boolean {
  for (const key of Object.keys(value)) {
    if (prototypeKeys.has(key) || textFault(key) !== undefined) return false
    const item = (value as Record<string, unknown>)[key]
    if (item !== undefined) below.push(item)
  }
  return true
}

function faultsOf(value: unknown, lineOf: ((path: Path) => number) | undefined): Issue[] {
  const issues: Issue[] = []
  const stack: Visit[] = [{ value, parent: undefined, key: '', depth: 0 }]
  const report = (at: Visit, message: string): void => {
    const path = pathOf(at)
    issues.push({ path: formatPath(path), message, ...(lineOf && { line: lineOf(path) }) })
  }
  for (let seen = 0, at = stack.pop(); at; at = stack.pop(), seen++) {
    if (issues.length >= documentLimits.issues) break
    if (seen >= documentLimits.values) {
      report({ value, parent: undefined, key: '', depth: 0 }, `has more than ${documentLimits.values} values`)
      break
    }
    const wrong = scalarFault(at.value)
    if (wrong) report(at, wrong)
    else if (typeof at.value === 'object' && at.value !== null) {
      if (at.depth >= documentLimits.depth) report(at, `is nested more than ${documentLimits.depth} deep`)
      else pushChildren(stack, at, at.value, report)
    }
  }
  return issues
}

function pushChildren(
  stack: Visit[],
  parent: Visit,
  value: object,
  report: (at: Visit, message: string) => void,
): void {
  const depth = parent.depth + 1
  if (Array.isArray(value)) {
    // Backwards, so that the first is looked at first and issues come in reading order.
    for (let key = value.length - 1; key >= 0; key--) stack.push({ value: value[key], parent, key, depth })
    return
  }
  for (const key of Object.keys(value).reverse()) {
    const child = { value: (value as Record<string, unknown>)[key], parent, key, depth }
    const wrong = prototypeKeys.has(key) ? 'is not allowed as a key' : textFault(key)
    if (wrong) report(child, wrong)
    // A field set to undefined is a field left out.
    else if (child.value !== undefined) stack.push(child)
  }
}

function scalarFault(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return textFault(value)
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `must be a finite number, not ${value}`
    case 'object':
      if (value === null || Array.isArray(value) || isPlain(value)) return undefined
      return 'must be plain data: text, number, true, false, list or object'
    default:
      return `must be plain data, not ${typeof value}`
  }
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

function pathOf(at: Visit): Path {
  const path: (string | number)[] = []
  for (let visit: Visit = at; visit.parent; visit = visit.parent) path.unshift(visit.key)
  return path
}

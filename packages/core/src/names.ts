/** The one grammar of names. Everything a user may name is checked against what is written here and nowhere else. */
import { Fault } from './fault.ts'

/** A DNS-1035 label with a leading letter. What begins with `xn--` stands for other letters, and may be no label at all. */
export const namePattern = /^(?!xn--)[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?$/
export const nameRule =
  'must be lower case letters, digits and inner dashes, begin with a letter but not with xn--, and have at most 40 characters'

/** Names that we make from those of users are longer by what we add. */
export const derivedNamePattern = /^[a-z](?:[-a-z0-9]{0,50}[a-z0-9])?$/
export const derivedNameRule =
  'must be lower case letters, digits and inner dashes, begin with a letter, and have at most 52 characters'

/** Kubernetes allows 15 characters for the name of a port, so everybody does. */
export const portNamePattern = /^[a-z](?:[-a-z0-9]{0,13}[a-z0-9])?$/
export const portNameRule =
  'must be lower case letters, digits and inner dashes, begin with a letter, and have at most 15 characters'

/** `name` or `prefix.example/name`, as engines accept them for labels and annotations. */
export const labelKeyPattern =
  /^(?:(?=[^/]{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/
export const labelKeyRule =
  'must be letters, digits, dashes, dots and underscores (at most 63), after an optional domain and slash'

export const labelValuePattern = /^(?:[A-Za-z0-9](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?)?$/
export const labelValueRule =
  'must be empty, or at most 63 letters, digits, dashes, dots and underscores, with a letter or digit at both ends'

export function isName(text: string): boolean {
  return namePattern.test(text)
}

/** The name itself, or an `invalid` fault that says whose name it is and what the grammar asks for. */
export function checkName(text: string, what = 'The name'): string {
  if (isName(text)) return text
  throw new Fault('bad_name', `${what} ${JSON.stringify(text.slice(0, 80))} cannot be used: it ${nameRule}`)
}

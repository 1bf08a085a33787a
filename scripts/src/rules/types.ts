/** The compiler is never talked out of something. */
import { isSource, lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'
import { nodesOf } from './syntax.ts'

const silenced = /@ts-(?:ignore|nocheck|expect-error)/g
const unexplained = /biome-ignore[^:\n]*(?:\n|:\s*\n|:\s*$|$)/g

const nodes: Readonly<Record<string, string>> = {
  TSAnyKeyword: '`any` turns the compiler off: use `unknown` and look',
  TSNonNullExpression: '`!` asserts what the compiler cannot see: look, and throw if it is not there',
}

export const honestTypes: Rule = {
  name: 'honest types',
  check: (files) => files.filter(isSource).flatMap((file) => [...checkNodes(file), ...checkComments(file)]),
}

function checkNodes(file: RepoFile): Offence[] {
  return nodesOf(file).flatMap(({ node }) => {
    const what = nodes[node.type]
    return what ? [{ path: file.path, line: lineAt(file.text, node.start), what }] : []
  })
}

function checkComments(file: RepoFile): Offence[] {
  const found = (pattern: RegExp, what: string): Offence[] =>
    [...file.text.matchAll(pattern)].map(({ index }) => ({ path: file.path, line: lineAt(file.text, index), what }))
  return [
    ...found(silenced, 'a comment silences the compiler'),
    ...found(unexplained, 'the linter is silenced without a reason'),
  ]
}

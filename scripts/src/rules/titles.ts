/** Tests say what they hold; none is left out in silence, and none leaves the others out. */
import { lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'
import { literal, type Node, nameChain, nodesOf } from './syntax.ts'

const starters = new Set(['it', 'test', 'describe'])

export const testTitles: Rule = {
  name: 'titles of tests',
  check: (files) =>
    files.filter(({ path }) => path.endsWith('.test.ts') || path.includes('/src/testing/')).flatMap(checkFile),
}

function checkFile(file: RepoFile): Offence[] {
  return nodesOf(file).flatMap(({ node, parent }) => {
    if (node.type !== 'CallExpression' || !Array.isArray(node.arguments)) return []
    const what = refusal(node, node.arguments, parent)
    return what ? [{ path: file.path, line: lineAt(file.text, node.start), what }] : []
  })
}

function refusal(node: Node, args: readonly unknown[], parent: Node | undefined): string | undefined {
  const chain = nameChain(node.callee)
  if (!starters.has(chain[0] ?? '')) {
    const skips = chain.at(-1) === 'skip' && chain.length <= 2
    return skips && args.length === 0 ? 'skips without a reason: skip("why")' : undefined
  }
  // `it.each(rows)(title, …)` is two calls: the title is in the outer one, and so is what there is to say.
  if (parent?.type === 'CallExpression' && parent.callee === node) return undefined
  const title = literal(args[0])
  if (title?.trim() === '') return 'the title is empty'
  if (chain.includes('only')) return '`only` leaves out all other tests'
  if (chain.includes('todo')) return '`todo` is not a test'
  if (chain.includes('skipIf') || chain.includes('runIf'))
    return 'skips without a reason: use skip("why") inside the test'
  const explained = /\(skipped: .+\)/.test(title ?? '')
  return chain.includes('skip') && !explained
    ? 'skips without a reason: say it in the title, (skipped: why)'
    : undefined
}

/** What YAML can say and JSON cannot, or says in two ways, is refused: tags, odd keys, the same key twice. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'
import { formatPath, type Path } from '../path.ts'
import { documentLimits } from './limits.ts'

export type Report = (node: unknown, path: string, message: string) => void

/** Recursion is safe here: the tokens were refused if they were too deep. */
export function checkNodes(document: Document.Parsed, report: Report): void {
  let aliases = 0
  const anchors = new Set<string>()
  visit(document.contents, [])

  function visit(node: Node | null | undefined, path: Path): void {
    if (!node) return
    if (isAlias(node)) {
      if (++aliases === documentLimits.aliases + 1) {
        report(node, formatPath(path), `uses more than ${documentLimits.aliases} aliases; write the values out`)
      }
      if (!anchors.has(node.source))
        report(node, formatPath(path), `refers to ${node.source}, which is nowhere before it`)
      return
    }
    if (node.anchor) anchors.add(node.anchor)
    if (node.tag) report(node, formatPath(path), `has the tag ${node.tag}; only plain data is allowed`)
    if (isMap(node)) visitPairs(node.items as Pair[], path)
    else if (isSeq(node)) for (const [at, item] of node.items.entries()) visit(item as Node, [...path, at])
    else if (isScalar(node) && typeof node.value === 'number') checkNumber(node, path)
  }

  function visitPairs(pairs: readonly Pair[], path: Path): void {
    const seen = new Set<string>()
    for (const { key, value } of pairs) {
      if (!isScalar(key) || typeof key.value !== 'string') {
        report(key, formatPath(path), 'has a key that is not text; write it in quotes')
        continue
      }
      const here = [...path, key.value]
      if (seen.has(key.value)) report(key, formatPath(here), 'is there twice')
      seen.add(key.value)
      if (key.tag) report(key, formatPath(here), `has the tag ${key.tag}; only plain data is allowed`)
      visit(value as Node | null, here)
    }
  }

  function checkNumber(node: { value: unknown }, path: Path): void {
    const value = node.value as number
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      report(node, formatPath(path), 'is a number too large to be kept exactly; write it in quotes')
    }
  }
}

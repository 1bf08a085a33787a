/** The syntax tree of a file, since a rule that goes by text alone trips over comments and strings. */
import { parseAst } from 'vitest/node'
import type { RepoFile } from './rule.ts'

export type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown }

const trees = new WeakMap<RepoFile, Node>()

export function treeOf(file: RepoFile): Node {
  const known = trees.get(file)
  if (known) return known
  const tree = parseAst(file.text, { lang: 'ts' }) as unknown as Node
  trees.set(file, tree)
  return tree
}

export type Placed = { readonly node: Node; readonly parent: Node | undefined }

const walks = new WeakMap<RepoFile, readonly Placed[]>()

/** Every node with the one that it belongs to, from the top down. Walked once for all rules. */
export function nodesOf(file: RepoFile): readonly Placed[] {
  const known = walks.get(file)
  if (known) return known
  const found: Placed[] = []
  collect(treeOf(file), undefined, found)
  walks.set(file, found)
  return found
}

function collect(node: Node, parent: Node | undefined, found: Placed[]): void {
  found.push({ node, parent })
  for (const field in node) {
    const value = node[field]
    if (Array.isArray(value)) {
      for (const child of value) if (isNode(child)) collect(child, node, found)
    } else if (isNode(value)) collect(value, node, found)
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** The value of a string that stands there as such, or undefined. */
export function literal(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value
  const { quasis } = value
  if (value.type !== 'TemplateLiteral' || !Array.isArray(quasis)) return undefined
  return quasis.map((part: { value: { cooked: string } }) => part.value.cooked).join('…')
}

/** `it` of `it`, `it.skip` and `it.skip.each(…)`; names in the order they are written. */
export function nameChain(value: unknown): string[] {
  if (!isNode(value)) return []
  if (value.type === 'Identifier') return [String(value.name)]
  if (value.type === 'CallExpression' || value.type === 'TaggedTemplateExpression') {
    return nameChain(value.callee ?? value.tag)
  }
  if (value.type !== 'MemberExpression') return []
  return [...nameChain(value.object), ...(value.computed ? [] : nameChain(value.property))]
}

/** What a file imports, in every form that there is. */

import { lineAt, type RepoFile } from './rule.ts'
import { isNode, literal, type Node, nameChain, nodesOf } from './syntax.ts'

export type Import = { readonly specifier: string; readonly line: number; readonly typeOnly: boolean }

const declarations = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
])

export function importsOf(file: RepoFile): Import[] {
  const found: Import[] = []
  for (const { node } of nodesOf(file)) {
    const specifier = declarations.has(node.type) ? literal(node.source) : (typeImport(node) ?? resolved(node))
    if (specifier === undefined) continue
    const typeOnly = node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType'
    found.push({ specifier, line: lineAt(file.text, node.start), typeOnly })
  }
  return found
}

/** `import('x').Y` in the place of a type. */
function typeImport(node: Node): string | undefined {
  return node.type === 'TSImportType' ? literal(node.source ?? node.argument) : undefined
}

/** `createRequire(…).resolve('x')` needs the package as much as an import does. */
function resolved(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || !Array.isArray(node.arguments) || !isNode(node.callee)) return undefined
  const chain = nameChain(node.callee)
  return chain[0] === 'createRequire' && chain[1] === 'resolve' ? literal(node.arguments[0]) : undefined
}

/** `@scope/name/part` → `@scope/name`; undefined for what is not a package. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

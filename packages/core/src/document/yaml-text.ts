/** Numbers and booleans that are meant as text stay as they were written; YAML would make 3.1 of 3.10. */
import { type Document, isMap, isScalar, isSeq } from 'yaml'
import type { Path } from '../path.ts'

export function keepText(document: Document.Parsed, textAt: (path: Path) => boolean): void {
  visit(document.contents, [])

  function visit(node: unknown, path: Path): void {
    if (isMap(node))
      for (const { key, value } of node.items) visit(value, [...path, isScalar(key) ? String(key.value) : ''])
    else if (isSeq(node)) for (const [at, item] of node.items.entries()) visit(item, [...path, at])
    else if (isScalar(node) && isNumberOrBoolean(node.value) && node.source && textAt(path)) node.value = node.source
  }
}

function isNumberOrBoolean(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

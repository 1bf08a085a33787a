/** Texts of a document that stand for others, such as variables, replaced before anything is read off them. */
import { type Document, isMap, isScalar, isSeq, type Scalar } from 'yaml'
import type { Path } from '../path.ts'

export type WrittenText = {
  readonly text: string
  /** Without quotes, and where any value may stand: a number or a boolean in its place would be one. */
  readonly plain: boolean
}

/** Answers with what is meant: the text itself where it stands for nothing else, and a text where it is not plain. */
export type Replace = (written: WrittenText) => string | number | boolean

/** Keys and values alike; a key stays a text, and so does what `textAt` says is one. */
export function replaceTexts(document: Document.Parsed, replace: Replace, textAt: (path: Path) => boolean): void {
  visit(document.contents, [])

  function visit(node: unknown, path: Path): void {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (isScalar(key)) put(key, true)
        visit(value, [...path, isScalar(key) ? String(key.value) : ''])
      }
    } else if (isSeq(node)) for (const [at, item] of node.items.entries()) visit(item, [...path, at])
    else if (isScalar(node)) put(node, textAt(path))
  }

  function put(node: Scalar, asText: boolean): void {
    if (typeof node.value !== 'string') return
    node.value = replace({ text: node.value, plain: node.type === 'PLAIN' && !asText })
  }
}

/**
 * A text in pieces, at lines of three dashes, as kubectl cuts it before it reads it: nothing in YAML goes across them. So a
 * document that was read before is not read again when another one beside it has changed.
 */
import { type DocumentValue, readDocuments } from './documents.ts'

/** `line`: how many lines are before it. */
export type Piece = { readonly text: string; readonly line: number }

const cut = /^---[ \t]*\r?$/gm

export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let line = 0
  for (const match of text.matchAll(cut)) {
    const piece = text.slice(from, match.index)
    pieces.push({ text: piece, line })
    line += linesIn(piece)
    from = match.index + match[0].length
  }
  pieces.push({ text: text.slice(from), line })
  const [first, ...others] = pieces
  // What stands before the first dashes is a document only if anything stands there.
  return first && others.length > 0 && isBlank(first.text) ? others : pieces
}

const isBlank = (text: string): boolean => text.split('\n').every((line) => /^\s*(?:#|$)/.test(line))

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Characters of all that is kept. */
const mostKept = 8 * 1024 * 1024

/** What was read, by its text. */
export class KnownDocuments {
  readonly #known = new Map<string, readonly DocumentValue[]>()
  #size = 0

  read(text: string): readonly DocumentValue[] {
    const known = this.#known.get(text)
    if (known) return known
    const read = readDocuments(text)
    if (this.#size + text.length > mostKept) {
      this.#known.clear()
      this.#size = 0
    }
    this.#known.set(text, read)
    this.#size += text.length
    return read
  }
}

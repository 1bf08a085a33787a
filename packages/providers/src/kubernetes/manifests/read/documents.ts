/** One piece of YAML as values, with what is wrong with it and where. */
import { documentLimits } from '@gantry/core'
import { Composer, type CST, type Document, isNode, isScalar, Lexer, LineCounter, Parser } from 'yaml'
import { toJson } from './to-json.ts'

export type Wrong = { readonly message: string; readonly line: number }

/** Lines are counted from 1, in the piece. */
export type DocumentValue = {
  /** `undefined`: nothing is in it, or something is wrong. */
  readonly value: unknown
  readonly line: number
  readonly wrong: readonly Wrong[]
}

export function readDocuments(text: string): readonly DocumentValue[] {
  const lines = new LineCounter()
  const found: DocumentValue[] = []
  try {
    for (const document of composed(text, lines)) found.push(readDocument(document, lines))
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    const { line } = lines.linePos(error.offset)
    found.push({
      value: undefined,
      line,
      wrong: [{ message: `is nested more than ${documentLimits.depth} deep`, line }],
    })
  }
  return found
}

function readDocument(document: Document.Parsed, lines: LineCounter): DocumentValue {
  const lineOf = (offset: number): number => lines.linePos(offset).line
  const wrong: Wrong[] = document.errors.map(({ message, pos }) => ({ message, line: lineOf(pos[0]) }))
  const line = lineOf(document.contents?.range?.[0] ?? 0)
  if (wrong.length > 0 || isEmpty(document)) return { value: undefined, line, wrong }
  const value = toJson(document, (node, message) => {
    wrong.push({ message, line: lineOf(isNode(node) ? (node.range?.[0] ?? 0) : 0) })
  })
  return { value: value ?? undefined, line, wrong }
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '' && contents.type === 'PLAIN')
}

class TooDeep extends Error {
  readonly offset: number

  constructor(offset: number) {
    super('nested too deeply')
    this.offset = offset
  }
}

/** Every plain word stays text here: what it means is ours to say, in `scalars.ts`. */
function composed(text: string, lines: LineCounter): Iterable<Document.Parsed> {
  const options = { schema: 'failsafe', uniqueKeys: false, merge: false, prettyErrors: false } as const
  return new Composer(options).compose(tokens(text, lines))
}

/** The parser holds one entry for each open collection, and a few of its own. */
const ownEntries = 3

function* tokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    // What comes behind the parser calls itself for each level.
    if (parser.stack.length > documentLimits.depth + ownEntries) throw new TooDeep(parser.offset)
  }
  yield* parser.end()
}

/** The syntax of a text, read piece by piece, so that one that is too long or too deep is refused on the way. */
import { type CST, Lexer, Parser } from 'yaml'
import { Fault } from '../fault.ts'
import { documentLimits } from './limits.ts'

/** The parser holds one entry per open collection, and a few of its own. */
const ownEntries = 3

/** One for each document, as they are read: those of a long text are never in memory together. */
export function* readTokens(text: string, onNewLine: (offset: number) => void): Generator<CST.Token, void> {
  const parser = new Parser(onNewLine)
  let count = 0
  onNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) yield token
    if (++count > documentLimits.tokens) {
      throw new Fault(
        'document_too_large',
        `The text has more than ${documentLimits.tokens} keys, values and line ends; split it into several files`,
      )
    }
    if (parser.stack.length > documentLimits.depth + ownEntries) {
      const line = text.slice(0, parser.offset).split('\n').length
      const message = `is nested more than ${documentLimits.depth} deep`
      throw new Fault('bad_document', `Line ${line}: the document ${message}`, {
        issues: [{ path: '', message, line }],
      })
    }
  }
  for (const token of parser.end()) yield token
}

/** The blocks of code in a page, and the words that it sets like code. */
import { lineAt, type RepoFile } from '../rules/rule.ts'

export type Block = {
  readonly language: string
  /** What follows the language on the opening line: the file that the block shows. */
  readonly shows: string
  readonly text: string
  readonly line: number
}

export type Word = { readonly text: string; readonly line: number }

const fence = /^```(\w*)[ \t]*(.*)\n([\s\S]*?)^```[ \t]*$/gm

export function blocksOf({ text }: RepoFile): Block[] {
  return [...text.matchAll(fence)].map((match) => ({
    language: match[1] ?? '',
    shows: (match[2] ?? '').trim(),
    text: match[3] ?? '',
    line: lineAt(text, match.index),
  }))
}

/** Outside of blocks; a block is blanked out rather than removed, so that lines keep their numbers. */
export function wordsOf({ text }: RepoFile): Word[] {
  const prose = text.replace(fence, (block) => block.replace(/[^\n]/g, ' '))
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => ({
    text: match[1] ?? '',
    line: lineAt(prose, match.index),
  }))
}

/** One command per line; comments and empty lines are for the reader. */
export function commandsOf(block: Block): Word[] {
  return block.text.split('\n').flatMap((line, index) => {
    const text = line.replace(/\s+#.*$/, '').trim()
    return text === '' || text.startsWith('#') ? [] : [{ text, line: block.line + 1 + index }]
  })
}

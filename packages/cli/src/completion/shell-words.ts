/** Pure: words as shells have them. */
import type { Suggestion } from './situation.ts'

/** Bash takes `--output=js` for three words, as it breaks at = and : too. What belongs together is joined again. */
export function joinedWords(words: readonly string[]): string[] {
  const joined: string[] = []
  let isGlued = false
  for (const word of words) {
    const isBreak = word === '=' || word === ':' || word === '=='
    const last = joined.at(-1)
    if (last !== undefined && (isBreak || isGlued)) joined[joined.length - 1] = last + word
    else joined.push(word)
    isGlued = isBreak
  }
  return joined
}

/** And it replaces only what is behind the last break of what is being written. */
export function behindBreak(suggestions: readonly Suggestion[], current: string): Suggestion[] {
  const at = Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1
  return suggestions.map((one) => ({ ...one, value: one.value.slice(at) }))
}

/** One on a line, and what it is behind a tab; a text of several lines would be several suggestions. */
export function suggestionLines(suggestions: readonly Suggestion[]): string {
  return suggestions
    .map(({ value, about }) => (about === undefined ? `${value}\n` : `${value}\t${about.replaceAll(/\s+/g, ' ')}\n`))
    .join('')
}

/** Pure: where each value is to come from. */
import { Fault } from '@gantry/core'

export type Source =
  | { readonly key: string; readonly from: 'person' | 'stdin' }
  | { readonly key: string; readonly from: 'file'; readonly path: string }
  | { readonly key: string; readonly from: 'args'; readonly value: string }

export type Given = {
  readonly words: readonly string[]
  readonly remove: readonly string[]
  readonly replace: boolean
  readonly fromArgs: boolean
}

export function sourcesOf({ words, remove, replace, fromArgs }: Given): Source[] {
  const sources = words.map((word) => sourceOf(word, fromArgs))
  if (sources.length === 0 && remove.length === 0) {
    throw new Fault('bad_request', 'Which value? Write KEY, KEY=- or KEY=@FILE, or --remove KEY')
  }
  if (replace && remove.length > 0) {
    throw new Fault(
      'bad_request',
      '--replace leaves out what is not given, so --remove says nothing more; leave it out',
    )
  }
  const keys = [...sources.map(({ key }) => key), ...remove]
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined)
    throw new Fault('bad_request', `"${twice}" is named twice; a value is either set or removed, once`)
  const piped = sources.filter(({ from }) => from === 'stdin')
  if (piped.length > 1) {
    const names = piped.map(({ key }) => key).join(' and ')
    throw new Fault('bad_request', `Standard input can be one value only, and not ${names}; use files for the others`)
  }
  return sources
}

function sourceOf(word: string, fromArgs: boolean): Source {
  const at = word.indexOf('=')
  if (at < 0) return { key: word, from: 'person' }
  const key = word.slice(0, at)
  const value = word.slice(at + 1)
  if (key === '') throw new Fault('bad_request', `${JSON.stringify(word)} has no key before the equals sign`)
  if (fromArgs) return { key, from: 'args', value }
  if (value === '-') return { key, from: 'stdin' }
  if (value.startsWith('@') && value.length > 1) return { key, from: 'file', path: value.slice(1) }
  const why = 'others on this machine can see arguments, and the shell keeps them in its history'
  const next = `${key}=- reads it from standard input, ${key}=@FILE from a file, ${key} alone asks for it; --from-args takes it anyway`
  // The value is not said again: it may end in a log.
  throw new Fault('bad_request', `The value of "${key}" stands in the arguments: ${why}. ${next}`)
}

/** Pure: what a shell asks for with the words of a line, of which the last is being written. */
import type { Argument, Command, Entry, Flag, Offer } from '../command/command.ts'
import { sameAs } from '../command/find.ts'
import { globalFlags } from '../command/global-flags.ts'

export type Suggestion = { readonly value: string; readonly about?: string }

export type Wanted =
  | { readonly words: readonly Suggestion[] }
  | { readonly offer: Offer; readonly prefix: string; readonly kind: string | undefined }

export type Situation = {
  readonly wanted: Wanted
  /** What is being written. */
  readonly current: string
  /** The flags of every command that the line has so far, by name: they say whom to ask. */
  readonly globals: Readonly<Record<string, string>>
}

const nothing: Wanted = { words: [] }

type Read = {
  readonly texts: readonly string[]
  readonly given: ReadonlySet<string>
  readonly globals: Readonly<Record<string, string>>
  /** The flag whose value comes next. */
  readonly pending: Flag | undefined
  readonly isRest: boolean
}

export function situationOf(table: readonly Entry[], words: readonly string[]): Situation {
  const commands = table.map(({ command }) => command).filter(({ hidden }) => hidden !== true)
  const current = words.at(-1) ?? ''
  const read = readWords(commands, words.slice(0, -1))
  return { wanted: wantedBy(commands, read, current), current, globals: read.globals }
}

function wantedBy(commands: readonly Command[], read: Read, current: string): Wanted {
  const command = commandOf(commands, read.texts)
  const args = read.texts.slice(command?.words.length)
  const [kind] = args
  if (read.pending) return valueWanted(read.pending, '', kind)
  if (read.isRest) return nothing
  const flags: readonly Flag[] = [...(command?.flags ?? []), ...globalFlags]
  if (current.startsWith('-')) {
    const [name = '', ...value] = current.split('=')
    const flag = flags.find((one) => `--${one.name}` === name)
    if (value.length > 0) return flag?.value === undefined ? nothing : valueWanted(flag, `${name}=`, kind)
    const free = flags.filter((one) => one.many === true || !read.given.has(one.name))
    return { words: free.map(({ name: own, about }) => ({ value: `--${own}`, about })) }
  }
  const next = nextWords(commands, read.texts)
  const argument = command && argumentAt(command.args, args.length)
  if (next.length > 0 && (!argument || args.length === 0)) return { words: next }
  return argument?.offer === undefined ? nothing : { offer: argument.offer, prefix: '', kind }
}

/** The words that can follow: of commands, and of groups of commands. */
function nextWords(commands: readonly Command[], texts: readonly string[]): Suggestion[] {
  const found = new Map<string, string>()
  for (const { words, about } of commands) {
    const next = words[texts.length]
    if (next === undefined || !texts.every((text, at) => words[at] === text)) continue
    const isWhole = words.length === texts.length + 1
    if (isWhole || !found.has(next)) found.set(next, isWhole ? about : '')
  }
  return [...found].map(([value, about]) => (about === '' ? { value } : { value, about }))
}

function commandOf(commands: readonly Command[], texts: readonly string[]): Command | undefined {
  const fits = commands.filter(({ words }) => words.every((word, at) => word === texts[at]))
  return fits.toSorted((one, other) => other.words.length - one.words.length)[0]
}

function argumentAt(args: readonly Argument[], at: number): Argument | undefined {
  const last = args.at(-1)
  return args[at] ?? (last?.many === true ? last : undefined)
}

function valueWanted(flag: Flag, prefix: string, kind: string | undefined): Wanted {
  if (flag.choices) return { words: flag.choices.map((choice) => ({ value: prefix + choice })) }
  return flag.offer === undefined ? nothing : { offer: flag.offer, prefix, kind }
}

/** Not the parser of commands: a line that is being written is mostly wrong, and nothing is to be said about that. */
function readWords(commands: readonly Command[], words: readonly string[]): Read {
  const texts: string[] = []
  const given = new Set<string>()
  const globals: Record<string, string> = {}
  let pending: Flag | undefined
  let isRest = false
  const put = ({ name }: Flag, value: string): void => {
    if (globalFlags.some((one) => one.name === name)) globals[name] = value
  }
  for (const word of words) {
    if (isRest) continue
    if (pending) {
      put(pending, word)
      pending = undefined
    } else if (word === '--') isRest = true
    else if (!word.startsWith('-') || word === '-') texts.push(texts.length === 0 ? (sameAs[word] ?? word) : word)
    else {
      const { flag, value } = flagOf([...(commandOf(commands, texts)?.flags ?? []), ...globalFlags], word)
      if (flag) given.add(flag.name)
      if (flag?.value === undefined) continue
      if (value === undefined) pending = flag
      else put(flag, value)
    }
  }
  return { texts, given, globals, pending, isRest }
}

/** `--tenant=acme`, `-n acme` and `-nacme`. */
function flagOf(flags: readonly Flag[], word: string): { readonly flag: Flag | undefined; readonly value?: string } {
  if (!word.startsWith('--')) {
    const flag = flags.find(({ short }) => short === word[1])
    return word.length > 2 ? { flag, value: word.slice(2) } : { flag }
  }
  const [name, ...value] = word.slice(2).split('=')
  const flag = flags.find((one) => one.name === name)
  return value.length > 0 ? { flag, value: value.join('=') } : { flag }
}

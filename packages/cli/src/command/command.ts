/**
 * A command as data: parsing, help, completion and the pages of docs/cli are made from it, so what is not said here does
 * not exist. What it does is in a file of its own, which is loaded only when the command is run.
 */
import type { World } from '../world/world.ts'

/** What a shell can offer for a word; names of objects are asked from the server. */
export type Offer =
  /** Objects of the kind that an earlier argument names, or of this one. */
  | { readonly objects: string | 'of_kind' }
  | { readonly words: readonly string[] }
  /** The kinds there are. */
  | 'kinds'
  | 'contexts'
  | 'files'

export type Flag = {
  /** Without dashes: `env-file`. */
  readonly name: string
  readonly short?: string
  /** One sentence, without a full stop. */
  readonly about: string
  /** What stands for the value in help: `FILE`. Left out: it is a switch, and has none. */
  readonly value?: string
  /** May be given more than once; the values come in order. */
  readonly many?: boolean
  /** A whole number, checked while parsing. */
  readonly number?: boolean
  /** As people write it: 90s, 10m; comes as milliseconds. */
  readonly duration?: boolean
  /** One of these, and nothing else. */
  readonly choices?: readonly string[]
  readonly offer?: Offer
}

export type Argument = {
  /** As help shows it: `NAME`. */
  readonly name: string
  readonly about: string
  readonly optional?: boolean
  /** The last one only: takes all that follow. */
  readonly many?: boolean
  readonly offer?: Offer
}

export type Example = { readonly line: string; readonly about: string }

export type Command = {
  /** `rollout pause` has two words. */
  readonly words: readonly [string, ...string[]]
  /** For programs only: in no list, no page and no completion. */
  readonly hidden?: boolean
  /** One sentence for lists of commands. */
  readonly about: string
  /** What else a person must know, in paragraphs. */
  readonly more?: readonly string[]
  readonly args: readonly Argument[]
  readonly flags: readonly Flag[]
  /** Everything behind `--` is a command for somewhere else; what it is called in help. */
  readonly rest?: string
  /** What it ends with when it fails itself, where its exit code is otherwise somebody else's. */
  readonly faultExit?: number
  readonly examples: readonly [Example, ...Example[]]
}

/** Keeps every type as narrow as it was written, so that what is parsed is typed by it. */
export function command<const C extends Command>(definition: C): C {
  return definition
}

type ValueOf<F extends Flag> = F extends { readonly value: string }
  ? F extends { readonly many: true }
    ? readonly One<F>[]
    : One<F> | undefined
  : boolean

type One<F extends Flag> = F extends { readonly number: true } | { readonly duration: true }
  ? number
  : F extends { readonly choices: infer Choices extends readonly string[] }
    ? Choices[number]
    : string

type TextOf<A extends Argument> = A extends { readonly many: true }
  ? readonly string[]
  : A extends { readonly optional: true }
    ? string | undefined
    : string

/** What a run of the command is given. */
export type Input<C extends Command> = {
  readonly flags: { readonly [F in C['flags'][number] as F['name']]: ValueOf<F> }
  readonly args: { readonly [A in C['args'][number] as A['name']]: TextOf<A> }
  /** What was behind `--`. */
  readonly rest: readonly string[]
}

/** Answers with the exit code; nothing is 0. Faults are thrown, and shown in one place. */
export type Run<C extends Command> = (input: Input<C>, world: World) => Promise<number | undefined>

export type Entry = {
  readonly command: Command
  readonly load: () => Promise<(input: AnyInput, world: World) => Promise<number | undefined>>
}

/** The same of a command of which nobody knows which it is. */
export type AnyInput = {
  readonly flags: Readonly<Record<string, boolean | string | number | readonly (string | number)[] | undefined>>
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rest: readonly string[]
}

/** Joins what a command is to what it does. */
export function entry<C extends Command>(command: C, load: () => Promise<{ readonly run: Run<C> }>): Entry {
  return { command, load: async () => (await load()).run as unknown as Awaited<ReturnType<Entry['load']>> }
}

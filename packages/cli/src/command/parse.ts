/** Pure: a command and the words behind it, to what it is given. Every slip is answered with what was probably meant. */
import { parseArgs } from 'node:util'
import { Fault, nearest, parseDuration } from '@gantry/core'
import type { AnyInput, Argument, Command, Flag } from './command.ts'
import { type Globals, globalFlags } from './global-flags.ts'

export type Parsed = { readonly input: AnyInput; readonly globals: Globals }

type OptionToken = { readonly name: string; readonly rawName: string; readonly value?: string | undefined }

type Value = boolean | string | number | (string | number)[]

export function parse(command: Command, words: readonly string[]): Parsed {
  const flags: readonly Flag[] = [...command.flags, ...globalFlags]
  const line = `gantry ${command.words.join(' ')}`
  const found = new Map<string, Value>()
  const texts: string[] = []
  let rest: string[] = []

  for (const token of tokensOf(flags, words)) {
    if (token.kind === 'option-terminator') rest = words.slice(token.index + 1)
    else if (token.kind === 'option') take(token)
    else if (rest.length === 0) texts.push(token.value)
  }
  const help = found.get('help') === true
  if (!help && rest.length > 0 && command.rest === undefined) {
    throw refusal(line, `it takes nothing behind --: ${rest.join(' ')}`)
  }
  return {
    input: { flags: valuesOf(command.flags), args: help ? {} : placed(command.args, texts, line), rest },
    globals: {
      tenant: found.get('tenant') as string | undefined,
      context: found.get('context') as string | undefined,
      server: found.get('server') as string | undefined,
      token: found.get('token') as string | undefined,
      timeoutMs: found.get('timeout') as number | undefined,
      noColor: found.get('no-color') === true,
      verbose: found.get('verbose') === true,
      help,
    },
  }

  function take({ name, rawName, value }: OptionToken): void {
    const flag = flags.find((one) => one.name === name)
    if (!flag) throw unknown(rawName, line, flags)
    if (flag.value === undefined) {
      if (value !== undefined) throw refusal(line, `${rawName} is a switch and takes no value`)
      found.set(name, true)
      return
    }
    // A lone dash is a value: it stands for standard input. And so is a number below zero.
    if (
      value === undefined ||
      (value.startsWith('-') && !/^-(\d|$)/.test(value) && !words.includes(`${rawName}=${value}`))
    ) {
      throw refusal(line, `${rawName} needs a value, as in ${rawName} ${flag.value}`)
    }
    put(flag, value)
  }

  function put(flag: Flag, text: string): void {
    const value = read(flag, text, line)
    const before = found.get(flag.name)
    if (flag.many) found.set(flag.name, [...(Array.isArray(before) ? before : []), value])
    else if (before !== undefined) throw refusal(line, `--${flag.name} is given twice`)
    else found.set(flag.name, value)
  }

  function valuesOf(own: readonly Flag[]): AnyInput['flags'] {
    return Object.fromEntries(
      own.map((flag) => [
        flag.name,
        found.get(flag.name) ?? (flag.value === undefined ? false : flag.many ? [] : undefined),
      ]),
    )
  }
}

/** Not strict, since what is wrong is better said here: with what was probably meant. */
function tokensOf(flags: readonly Flag[], words: readonly string[]) {
  const options = Object.fromEntries(
    flags.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  )
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function read(flag: Flag, text: string, line: string): string | number {
  if (flag.choices && !flag.choices.includes(text)) {
    const guess = nearest(text, flag.choices)
    const hint = guess === undefined ? `must be one of ${flag.choices.join(', ')}` : `did you mean ${guess}?`
    throw refusal(line, `--${flag.name} ${text}: ${hint}`)
  }
  if (flag.number) {
    if (!/^-?\d{1,15}$/.test(text)) throw refusal(line, `--${flag.name} must be a whole number, and not ${text}`)
    return Number(text)
  }
  if (flag.duration) {
    try {
      return parseDuration(text)
    } catch (cause) {
      throw refusal(line, `--${flag.name} must be a time such as 90s, 10m or 2h, and not ${text}`, cause)
    }
  }
  return text
}

function placed(args: readonly Argument[], texts: readonly string[], line: string): AnyInput['args'] {
  const given: Record<string, string | readonly string[] | undefined> = {}
  let at = 0
  for (const arg of args) {
    if (arg.many) {
      const all = texts.slice(at)
      if (all.length === 0 && !arg.optional) throw refusal(line, `${arg.name} is missing: ${arg.about}`)
      given[arg.name] = all
      at = texts.length
      continue
    }
    const text = texts[at]
    if (text === undefined && !arg.optional) throw refusal(line, `${arg.name} is missing: ${arg.about}`)
    given[arg.name] = text
    if (text !== undefined) at++
  }
  if (at < texts.length) throw refusal(line, `it takes no ${texts.slice(at).join(' ')}`)
  return given
}

function unknown(word: string, line: string, flags: readonly Flag[]): Fault {
  const names = flags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
  const guess = word.startsWith('--') ? nearest(word, names) : undefined
  return refusal(line, `it has no flag ${word}${guess === undefined ? '' : `; did you mean ${guess}?`}`)
}

function refusal(line: string, why: string, cause?: unknown): Fault {
  return new Fault('bad_request', `${line} cannot be run: ${why}. See "${line} --help"`, { cause })
}

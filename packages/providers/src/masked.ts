/** Pure: a line that is quoted in a message, without the secrets that its writer was told. */
import type { Desired } from './desired.ts'

/** Shorter ones would make every line unreadable, and hide nothing. */
const shortest = 3
const longest = 300

export function quotable(line: string, { services }: Pick<Desired, 'services'>): string {
  const values = services
    .flatMap(({ secrets }) => secrets)
    .flatMap(({ value }) => value.reveal().split('\n'))
    .map((value) => value.trim())
    .filter((value) => value.length >= shortest)
    .sort((left, right) => right.length - left.length)
  const hidden = values.reduce((text, value) => text.replaceAll(value, '***'), line)
  return hidden.length > longest ? `${hidden.slice(0, longest)}…` : hidden
}

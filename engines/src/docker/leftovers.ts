/** What of the machine's state belongs to one instance: pure, from the system's own text to names. */
import type { Footprint } from './footprint.ts'

/** Mount points at or below the folder, those on top of others first: the order in which they can be taken off. */
export function mountsBelow(mountinfo: string, folder: string): string[] {
  const points = mountinfo.split('\n').flatMap((line) => {
    const point = line.split(' ')[4]
    return point === undefined ? [] : [unescaped(point)]
  })
  return points.filter((point) => point === folder || point.startsWith(`${folder}/`)).reverse()
}

/** The system writes spaces and the like as three octal digits. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

export type Rules = {
  /** Each as the arguments that take it away again. */
  readonly rules: readonly (readonly string[])[]
  readonly chains: readonly string[]
  /** Every bridge that its own chains speak of. */
  readonly bridges: readonly string[]
}

/** From `iptables -S` of one table. */
export function rulesOf(listing: string, { chains, bridge, subnet }: Footprint): Rules {
  const isOwnChain = (name: string | undefined): boolean => name === chains || name?.startsWith(`${chains}-`) === true
  const lines = listing.split('\n').map(words)
  const appended = lines.filter(([flag]) => flag === '-A')
  const inOwnChains = appended.filter(([, chain]) => isOwnChain(chain))
  const named = inOwnChains.flatMap((rule) => rule.flatMap((word, at) => (isInterfaceFlag(rule[at - 1]) ? [word] : [])))
  const bridges = [...new Set([bridge, ...named])].filter((name) => name === bridge || name.startsWith('br-'))
  const isOwn = (rule: readonly string[]): boolean =>
    rule.some((word) => isOwnChain(word) || bridges.includes(word) || word.startsWith(`10.${subnet}.`))
  return {
    rules: appended.filter(isOwn).map(([, ...rest]) => ['-D', ...rest]),
    chains: lines.flatMap(([flag, chain = '']) => (flag === '-N' && isOwnChain(chain) ? [chain] : [])),
    bridges,
  }
}

function isInterfaceFlag(word: string | undefined): boolean {
  return word === '-i' || word === '-o'
}

/** Arguments as the listing quotes them. */
function words(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}

/** Whom an address stands for: one customer of an IPv6 provider has more addresses than a table has room. */
import { isIPv6 } from 'node:net'

export function addressKey(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [...bytesOf(groups[6] ?? 0), ...bytesOf(groups[7] ?? 0)].join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight numbers, with `::` filled in. */
function groupsOf(address: string): number[] {
  // The parser of URLs knows every way to write one, and gives the plainest.
  const plainest = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = plainest.split('::')
  const left = numbers(head)
  if (tail === undefined) return left
  const right = numbers(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

const numbers = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

const bytesOf = (group: number): [number, number] => [group >> 8, group & 0xff]

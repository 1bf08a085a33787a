/** Pure: ranges of IPv4 addresses, and the first that nobody has. */
import { Fault } from '@gantry/core'

/** First and last address. */
export type Range = { readonly from: number; readonly to: number }

/** What a tenant gets: room for 253 replicas. */
const prefix = 24
const size = 2 ** (32 - prefix)

/** Of 10.0.0.0/8, a part that home networks and other programs seldom ask for. */
export const usualSubnets = '10.120.0.0/14'

export function rangeOf(text: string): Range | undefined {
  const [, address = '', bits = '32'] = /^(\d+\.\d+\.\d+\.\d+)(?:\/(\d+))?$/.exec(text) ?? []
  const parts = address.split('.').map(Number)
  if (parts.length !== 4 || parts.some((part) => part > 255) || Number(bits) > 32) return undefined
  const count = 2 ** (32 - Number(bits))
  const number = parts.reduce((all, part) => all * 256 + part, 0)
  const from = number - (number % count)
  return { from, to: from + count - 1 }
}

const overlaps = (left: Range, right: Range): boolean => left.from <= right.to && right.from <= left.to

const textOf = (from: number): string =>
  `${[24, 16, 8, 0].map((shift) => Math.floor(from / 2 ** shift) % 256).join('.')}/${prefix}`

/** A subnet of `pool` that overlaps nothing that is taken; begins at a place of its own, so that two seldom want the same. */
export function freeSubnet(pool: string, taken: readonly Range[], random: number): string {
  const range = rangeOf(pool)
  if (!range)
    throw new Fault('bad_document', `${pool} is no range of IPv4 addresses; write one such as ${usualSubnets}`)
  const count = Math.max(1, Math.floor((range.to - range.from + 1) / size))
  const start = Math.floor(random * count)
  for (let step = 0; step < count; step += 1) {
    const from = range.from + ((start + step) % count) * size
    if (!taken.some((each) => overlaps(each, { from, to: from + size - 1 }))) return textOf(from)
  }
  const message = `Every /${prefix} of ${pool} is taken; give this provider a larger range, or remove networks that are not used`
  throw new Fault('engine_full', message)
}

/** Whose word about the client before them is believed. */
import { BlockList, isIP } from 'node:net'

export type Range = { readonly address: string; readonly bits?: number; readonly family: 'ipv4' | 'ipv6' }

/** `10.1.2.3`, `10.0.0.0/8`, `::1`, `fd00::/8`; anything else: undefined. */
export function parseRange(text: string): Range | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) return { address, family }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return undefined
  return { address, bits: Number(bits), family }
}

/** Asked for every request, so that nothing is looked up where nobody is trusted, which is how most installations are. */
export function trustedPeers(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const list = new BlockList()
  for (const text of ranges) {
    const range = parseRange(text)
    if (range?.bits !== undefined) list.addSubnet(range.address, range.bits, range.family)
    else if (range) list.addAddress(range.address, range.family)
  }
  return (address) => {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** An IPv4 peer of a socket that listens on both is told as `::ffff:10.1.2.3`; everybody else calls it 10.1.2.3. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

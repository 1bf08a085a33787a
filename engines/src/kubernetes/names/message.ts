/** The messages of the domain name system, as far as one question about addresses goes: pure. */

export type Query = {
  readonly id: number
  /** In small letters, without the dot at its end. */
  readonly name: string
  /** 1 asks for addresses of four bytes. */
  readonly type: number
  /** The question as it came, which an answer repeats. */
  readonly question: Buffer
}

export type Reply = {
  readonly code: keyof typeof codes
  readonly addresses: readonly string[]
}

const codes = { ok: 0, refused: 5, absent: 3 } as const
const header = 12
/** Changes must be seen soon. */
const lifetimeSeconds = 1
/** More would not fit into one packet of the size that everybody takes. */
const mostAddresses = 25

/** Undefined for what is no question that we could answer. */
export function readQuery(packet: Buffer): Query | undefined {
  if (packet.length < header || (packet.readUInt16BE(2) & 0x8000) !== 0 || packet.readUInt16BE(4) !== 1)
    return undefined
  const labels: string[] = []
  let at = header
  for (;;) {
    const length = packet[at]
    if (length === undefined || length > 63) return undefined
    at += 1
    if (length === 0) break
    labels.push(packet.toString('latin1', at, at + length))
    at += length
  }
  if (packet.length < at + 4) return undefined
  const question = packet.subarray(header, at + 4)
  return { id: packet.readUInt16BE(0), name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at), question }
}

export function writeReply({ id, question }: Query, { code, addresses }: Reply): Buffer {
  const given = addresses.slice(0, mostAddresses)
  const head = Buffer.alloc(header)
  head.writeUInt16BE(id, 0)
  // An answer, by who knows best, where asking further was possible.
  head.writeUInt16BE(0x8580 | codes[code], 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(given.length, 6)
  return Buffer.concat([head, question, ...given.map(record)])
}

/** Its name is the one in the question, which begins where the header ends. */
function record(address: string): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt16BE(0xc000 | header, 0)
  bytes.writeUInt16BE(1, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt32BE(lifetimeSeconds, 6)
  bytes.writeUInt16BE(4, 10)
  for (const [at, part] of address.split('.').entries()) bytes[12 + at] = Number(part)
  return bytes
}

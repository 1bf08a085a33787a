/** A program file that Linux runs as it is: a header, two lines that say how it is loaded, and its code. Pure. */
export type Machine = {
  /** The number that ELF has for it. */
  readonly elf: number
  /** The largest page that its kernels are built for. */
  readonly page: number
  readonly code: Uint8Array
}

const headerBytes = 64
const segmentBytes = 56
const base = 0x40_0000n

export const codeAt = headerBytes + 2 * segmentBytes

export function elfProgram({ elf, page, code }: Machine): Buffer {
  const size = codeAt + code.length
  return Buffer.concat([
    header(elf),
    segment({ type: 1, flags: readable | runnable, address: base, size, page }),
    // Without this line some kernels make the stack runnable.
    segment({ type: 0x6474_e551, flags: readable | writable, address: 0n, size: 0, page: 16 }),
    code,
  ])
}

const runnable = 1
const writable = 2
const readable = 4

function header(machine: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  // 64 bits, little endian, version 1.
  bytes.write('\x7fELF\x02\x01\x01', 0, 'latin1')
  bytes.writeUInt16LE(2, 16) // a program at a fixed address
  bytes.writeUInt16LE(machine, 18)
  bytes.writeUInt32LE(1, 20)
  bytes.writeBigUInt64LE(base + BigInt(codeAt), 24)
  bytes.writeBigUInt64LE(BigInt(headerBytes), 32)
  bytes.writeUInt16LE(headerBytes, 52)
  bytes.writeUInt16LE(segmentBytes, 54)
  bytes.writeUInt16LE(2, 56)
  bytes.writeUInt16LE(64, 58) // of a section; there are none
  return bytes
}

type Segment = {
  readonly type: number
  readonly flags: number
  readonly address: bigint
  readonly size: number
  readonly page: number
}

function segment({ type, flags, address, size, page }: Segment): Buffer {
  const bytes = Buffer.alloc(segmentBytes)
  bytes.writeUInt32LE(type, 0)
  bytes.writeUInt32LE(flags, 4)
  bytes.writeBigUInt64LE(address, 16)
  bytes.writeBigUInt64LE(address, 24)
  bytes.writeBigUInt64LE(BigInt(size), 32)
  bytes.writeBigUInt64LE(BigInt(size), 40)
  bytes.writeBigUInt64LE(BigInt(page), 48)
  return bytes
}

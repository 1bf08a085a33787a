/** Writes a tar archive, in the plain format that every engine reads: the same bytes for the same entries. */
import { Fault } from '@gantry/core'

export type TarEntry = {
  /** Without a leading slash. */
  readonly path: string
  readonly mode: number
  /** Left out: root. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Left out: it is a folder. */
  readonly content?: Uint8Array
}

export const blockBytes = 512
const longestPath = 100

export function tarArchive(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(recordOf), Buffer.alloc(2 * blockBytes)])
}

function recordOf(entry: TarEntry): Uint8Array[] {
  const { content = Buffer.alloc(0) } = entry
  return [headerOf(entry, content.length), content, Buffer.alloc(-content.length & (blockBytes - 1))]
}

function headerOf({ path, mode, owner = { uid: 0, gid: 0 }, content }: TarEntry, size: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const name = content === undefined ? `${path}/` : path
  if (Buffer.byteLength(name) > longestPath) {
    throw new Fault('unexpected', `The path ${path} is too long for a plain tar archive`)
  }
  header.write(name, 0)
  writeNumber(header, mode, 100, 8)
  writeNumber(header, owner.uid, 108, 8)
  writeNumber(header, owner.gid, 116, 8)
  writeNumber(header, size, 124, 12)
  writeNumber(header, 0, 136, 12)
  header.write(content === undefined ? '5' : '0', 156)
  header.write('ustar\x0000', 257)
  // Summed up with spaces where the sum goes.
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** In octal digits; one that is too large for them (a user above two million) in bytes, as every reader understands. */
function writeNumber(header: Buffer, value: number, at: number, width: number): void {
  const digits = value.toString(8)
  if (digits.length < width) header.write(`${digits.padStart(width - 1, '0')}\0`, at)
  else {
    header.writeUInt8(0x80, at)
    header.writeUIntBE(value, at + width - 6, 6)
  }
}

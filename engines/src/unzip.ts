/** Takes files out of a zip archive, as far as build tools write them: deflated or stored, below 4 GiB. */
import { inflateRawSync } from 'node:zlib'

const endOfCentral = 0x06054b50
const centralEntry = 0x02014b50

/** The files of an archive by name; folders are left out. */
export function unzip(archive: Buffer): Map<string, () => Buffer> {
  const files = new Map<string, () => Buffer>()
  const end = archive.lastIndexOf(littleEndian(endOfCentral))
  if (end === -1) throw new Error('This is no zip archive: it has no central directory')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== centralEntry) throw new Error('The central directory of the zip archive is broken')
    const method = archive.readUInt16LE(at + 10)
    const size = archive.readUInt32LE(at + 20)
    const nameLength = archive.readUInt16LE(at + 28)
    const header = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (!name.endsWith('/')) files.set(name, () => contentAt(archive, header, method, size))
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

function contentAt(archive: Buffer, header: number, method: number, size: number): Buffer {
  // The local header repeats the name, and may have another extra field than the central one.
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  const packed = archive.subarray(start, start + size)
  if (method === 0) return packed
  if (method === 8) return inflateRawSync(packed)
  throw new Error(`The zip archive is packed by method ${method}, which is not known here`)
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

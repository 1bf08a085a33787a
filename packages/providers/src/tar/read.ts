/** Reads the one thing that an engine packs when it is asked for a file. */
import { Fault } from '@gantry/core'
import { blockBytes } from './write.ts'

/** What lies at a path: a link is not followed by the engine. */
export type Packed = { readonly content: Buffer } | { readonly link: string } | { readonly other: string }

/** Kinds of entry, by the letter in its header. */
const isFile = ['0', '\0', '7']
const isLink = '2'
/** Says more about the entry after it than a plain header can. */
const isRemark = ['x', 'g', 'L', 'K']

/** The first entry. Whatever tables are read this way are small; more than `mostBytes` is refused. */
export async function firstEntry(archive: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Packed> {
  const bytes = await collected(archive, mostBytes)
  for (let at = 0; at + blockBytes <= bytes.length && bytes[at] !== 0; ) {
    const kind = String.fromCharCode(bytes[at + 156] ?? 0)
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8)
    const from = at + blockBytes
    if (!(size >= 0) || from + size > bytes.length) break
    if (isFile.includes(kind)) return { content: bytes.subarray(from, from + size) }
    if (kind === isLink) return { link: textAt(bytes, at + 157, 100) }
    if (!isRemark.includes(kind)) return { other: kind }
    at = from + Math.ceil(size / blockBytes) * blockBytes
  }
  throw new Fault('bad_answer', 'Docker sent a file in an archive that cannot be read')
}

async function collected(archive: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of archive) {
    total += chunk.length
    if (total > mostBytes) throw new Fault('bad_answer', `Docker sent a file of more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes
    .toString('utf8', at, at + length)
    .replace(/\0.*$/s, '')
    .trim()
}

/** Writes a tar archive (the plain format that everything reads): always the same bytes for the same entries. */
import { Fault } from '@gantry/core'

export type TarEntry = {
  /** Without a leading slash. */
  readonly path: string
  /** Permissions; left out: 755 for folders and 644 for files. */
  readonly mode?: number
} & (
  | { readonly folder: true }
  /** A symbolic link to this target. */
  | { readonly link: string }
  | { readonly content: string | Uint8Array }
)

const block = 512
const longestName = 100

export function tar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(record), Buffer.alloc(2 * block)])
}

function record(entry: TarEntry): Buffer[] {
  const content = 'content' in entry ? Buffer.from(entry.content as Uint8Array) : Buffer.alloc(0)
  const padding = Buffer.alloc((block - (content.length % block)) % block)
  return [header(entry, content.length), content, padding]
}

function header(entry: TarEntry, size: number): Buffer {
  const bytes = Buffer.alloc(block)
  const isFolder = 'folder' in entry
  const octal = (value: number, at: number, width: number): void => {
    bytes.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  }
  bytes.write(named(isFolder ? `${entry.path}/` : entry.path), 0)
  octal(entry.mode ?? (isFolder ? 0o755 : 0o644), 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  bytes.write('        ', 148)
  bytes.write(isFolder ? '5' : 'link' in entry ? '2' : '0', 156)
  if ('link' in entry) bytes.write(named(entry.link), 157)
  bytes.write('ustar\x0000', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

function named(path: string): string {
  if (Buffer.byteLength(path) <= longestName) return path
  throw new Fault('unexpected', `The path ${path} is too long for a plain tar archive`)
}

/** Pure: files as a tar archive, the same bytes for the same files: who packs an unchanged chart sends an unchanged one. */

export type TarFile = { readonly name: string; readonly bytes: Uint8Array; readonly mode: number }

const block = 512

export function tarOf(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ name, bytes, mode }) => [
    ...longName(name),
    header(name, bytes.length, mode, '0'),
    bytes,
    Buffer.alloc((block - (bytes.length % block)) % block),
  ])
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

/** Names that have no room in a header stand before it, in a record of their own. */
function longName(name: string): Uint8Array[] {
  if (Buffer.byteLength(name) <= 100) return []
  const length = (digits: number): number => digits + Buffer.byteLength(` path=${name}\n`)
  let size = length(1)
  while (length(String(size).length) !== size) size = length(String(size).length)
  const record = Buffer.from(`${size} path=${name}\n`)
  return [header('chart', record.length, 0o644, 'x'), record, Buffer.alloc((block - (record.length % block)) % block)]
}

/** Nothing of who packed it and when. */
function header(name: string, size: number, mode: number, type: string): Buffer {
  const bytes = Buffer.alloc(block)
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits - 1, '0')}\0`
  Buffer.from(name).copy(bytes, 0, 0, 100)
  bytes.write(octal(mode, 8), 100)
  bytes.write(octal(0, 8), 108)
  bytes.write(octal(0, 8), 116)
  bytes.write(octal(size, 12), 124)
  bytes.write(octal(0, 12), 136)
  bytes.write(' '.repeat(8), 148)
  bytes.write(type, 156)
  bytes.write('ustar\x0000', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

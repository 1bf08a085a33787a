/** Puts instructions one after another, and tells those that jump or look at data how far that is away. Pure. */
export type Instruction = {
  readonly bytes: number
  /** `distance` is from the instruction's own beginning to the label. */
  encode(distance: (label: string) => number): readonly number[]
}

/** A label stands before what comes next. */
export type Line = Instruction | { readonly label: string }

export function assemble(lines: readonly Line[]): Buffer {
  const labels = new Map<string, number>()
  let end = 0
  for (const line of lines) {
    if ('label' in line) labels.set(line.label, end)
    else end += line.bytes
  }
  const code: number[] = []
  for (const line of lines) {
    if ('label' in line) continue
    const at = code.length
    const encoded = line.encode((label) => {
      const found = labels.get(label)
      if (found === undefined) throw new Error(`There is no label ${label}`)
      return found - at
    })
    if (encoded.length !== line.bytes)
      throw new Error(`An instruction said ${line.bytes} bytes, and has ${encoded.length}`)
    code.push(...encoded)
  }
  return Buffer.from(code)
}

/** Bytes as they are. */
export const plain = (...bytes: number[]): Instruction => ({ bytes: bytes.length, encode: () => bytes })

/** A number in `count` bytes, the lowest first. */
export function littleEndian(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Math.floor(value / 2 ** (8 * at)) & 0xff)
}

/**
 * Pure: `${VAR}` in a file. What stands for a variable cannot change what the file is made of: a value with a colon, a
 * quote or a line end in it is that value, and nothing else. `$${VAR}` is the text `${VAR}`.
 */

export type Variables = Readonly<Record<string, string>>

/** Where a variable is wanted. */
export type Use = { readonly name: string; readonly line: number }

export type Marked = {
  /** The file with a mark for each variable, which is a word like any other to the parser. */
  readonly text: string
  /** For the parser: what a text with marks means. */
  readonly replace: (written: { readonly text: string; readonly plain: boolean }) => string | number | boolean
  /** Variables that were met while the file was read, and that nobody gave a value. */
  readonly missing: () => readonly Use[]
}

const written = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g

export function markVariables(source: string, values: Variables): Marked {
  let word = 'gantryVariable'
  while (source.includes(word)) word += 'x'
  const uses: (Use & { readonly escaped: boolean })[] = []
  const missing: Use[] = []
  const lines = source.split('\n').map((line, at) =>
    line.replace(written, (_, again: string, name: string) => {
      uses.push({ name, line: at + 1, escaped: again !== '' })
      return `${word}${uses.length - 1}z`
    }),
  )
  const mark = new RegExp(`${word}(\\d+)z`, 'g')
  const alone = new RegExp(`^${word}\\d+z$`)
  return {
    text: lines.join('\n'),
    missing: () => missing,
    replace({ text, plain }) {
      if (!text.includes(word)) return text
      const meant = text.replace(mark, (_, at: string) => meaningOf(Number(at)))
      return plain && alone.test(text) ? asWritten(meant) : meant
    },
  }

  function meaningOf(at: number): string {
    const { name, line, escaped } = uses[at] ?? { name: '', line: 0, escaped: true }
    if (escaped) return `\${${name}}`
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) missing.push({ name, line })
    return value ?? ''
  }
}

/** Where it stands alone and without quotes, a number is one: `replicas: ${REPLICAS}`. */
function asWritten(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) ? Number(text) : text
}

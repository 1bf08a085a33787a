/** Pure: rows under titles, each column as wide as its widest cell, three blanks apart, as kubectl's fingers expect. */

export type Cell = string | { readonly text: string; readonly paint: (text: string) => string }

/** Control characters of somebody else's text would write over the screen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/g

const gap = 3

export function table(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const widths = widthsOf([titles, ...rows])
  return [titles, ...rows].map((row) => line(row, widths)).join('')
}

/** How wide each column must be. `before`: rows that are already written, which columns do not get narrower than. */
export function widthsOf(rows: readonly (readonly Cell[])[], before: readonly number[] = []): number[] {
  const columns = Math.max(before.length, ...rows.map((row) => row.length))
  const widest = (at: number): number[] => rows.map((row) => width(shown(row[at] ?? '').text))
  return Array.from({ length: columns }, (_, at) => Math.max(before[at] ?? 0, ...widest(at)))
}

export function line(row: readonly Cell[], widths: readonly number[]): string {
  const cells = row.map(shown).map(({ text, paint }, at) => {
    const isLast = at === row.length - 1
    return paint(text) + (isLast ? '' : ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(text)) + gap))
  })
  return `${cells.join('').trimEnd()}\n`
}

function shown(cell: Cell): { readonly text: string; readonly paint: (text: string) => string } {
  const { text, paint } = typeof cell === 'string' ? { text: cell, paint: (one: string) => one } : cell
  return { text: clean(text), paint }
}

export function clean(text: string): string {
  return text.replace(control, ' ')
}

/** As many columns as it takes: wide letters of East Asia take two. */
export function width(text: string): number {
  // Nearly everything is plain, and the pattern for the rest takes long to compile.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let columns = 0
  for (const letter of text) columns += isWide(letter) ? 2 : 1
  return columns
}

function isWide(letter: string): boolean {
  const east = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/
  return east.test(letter) || /\p{Emoji_Presentation}/u.test(letter)
}

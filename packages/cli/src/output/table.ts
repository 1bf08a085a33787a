/** Pure: rows under titles, each column as wide as its widest cell, three blanks apart, as kubectl's fingers expect. */

export type Cell = string | { readonly text: string; readonly paint: (text: string) => string }

/** Control characters of somebody else's text would write over the screen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/g

export function table(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [titles, ...rows].map((row) => row.map(shown))
  const widths = titles.map((_, at) => Math.max(...lines.map((line) => width(line[at]?.text ?? ''))))
  return lines
    .map((line) => {
      const cells = line.map(({ text, paint }, at) => {
        const last = at === line.length - 1
        return paint(text) + (last ? '' : ' '.repeat((widths[at] ?? 0) - width(text) + 3))
      })
      return `${cells.join('').trimEnd()}\n`
    })
    .join('')
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
  let columns = 0
  for (const letter of text)
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        letter,
      )
        ? 2
        : 1
  return columns
}

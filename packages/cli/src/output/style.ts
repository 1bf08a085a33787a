/** A few colours by what they mean; nothing where they cannot be seen. */

export type Style = {
  readonly good: Paint
  readonly bad: Paint
  readonly warn: Paint
  readonly dim: Paint
  readonly strong: Paint
  /** One of a few colours, always the same for the same number: for replicas side by side. */
  readonly nth: (at: number, text: string) => string
}

type Paint = (text: string) => string

const paint =
  (open: number, close: number): Paint =>
  (text) =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`

const inTurn = [36, 33, 35, 32, 34, 96, 93, 95, 92, 94] as const

export const coloured: Style = {
  good: paint(32, 39),
  bad: paint(31, 39),
  warn: paint(33, 39),
  dim: paint(2, 22),
  strong: paint(1, 22),
  nth: (at, text) => paint(inTurn[at % inTurn.length] ?? 36, 39)(text),
}

const as: Paint = (text) => text

export const plain: Style = { good: as, bad: as, warn: as, dim: as, strong: as, nth: (_, text) => text }

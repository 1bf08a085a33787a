/** Dumb hands: lines over those that were there before. */
import type { Screen } from '../world/world.ts'

export interface Painter {
  /** In place of the last ones. */
  paint(lines: readonly string[]): Promise<void>
}

const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}A\r` : '\r')
const clearBelow = '\u001b[J'

export function painterOn(screen: Screen): Painter {
  let height = 0
  let last = ''
  return {
    async paint(lines) {
      const text = lines.map((line) => `${line}\n`).join('')
      // Nothing to see: a terminal that is read back, or is slow, is spared.
      if (text === last) return
      const over = height
      height = lines.length
      last = text
      await screen.write(`${up(over)}${clearBelow}${text}`)
    },
  }
}

/** Pure: what happened, as lines; oldest last, as the server has it. */
import type { ObjectEvent } from '@gantry/api'
import { age } from './age.ts'
import type { Style } from './style.ts'
import type { Cell } from './table.ts'

export const eventTitles = ['SEEN', 'TYPE', 'REASON', 'BY', 'MESSAGE'] as const

export function eventRow(event: ObjectEvent, now: number, style: Style): Cell[] {
  const { type, reason, by, message, count, firstAt, lastAt } = event
  const times = count === 1 ? '' : ` (${count} times in ${age(firstAt, now)})`
  return [
    age(lastAt, now),
    { text: type, paint: type === 'warning' ? style.warn : (one) => one },
    reason,
    by,
    message + times,
  ]
}

/** Pure: what happened, as lines. */
import type { ObjectEvent, TenantEvent } from '@gantry/api'
import { age } from './age.ts'
import type { Style } from './style.ts'
import type { Cell } from './table.ts'

export const eventTitles = ['SEEN', 'TYPE', 'REASON', 'BY', 'MESSAGE'] as const

export function eventRow(event: ObjectEvent, now: number, style: Style): Cell[] {
  const { type, reason, by, message, count, firstAt, lastAt } = event
  const times = count === 1 ? '' : ` (${count} times in ${age(firstAt, now)})`
  const paint = type === 'warning' ? style.warn : (one: string) => one
  return [age(lastAt, now), { text: type, paint }, reason, by, message + times]
}

/** The same of events of several objects: which one is said in front of what happened to it. */
export const aboutEventTitles = ['SEEN', 'TYPE', 'REASON', 'OBJECT', 'BY', 'MESSAGE'] as const

export function aboutEventRow(event: TenantEvent, now: number, style: Style): Cell[] {
  const [seen = '', type = '', reason = '', by = '', message = ''] = eventRow(event, now, style)
  return [seen, type, reason, `${event.about.kind.toLowerCase()}/${event.about.name}`, by, message]
}

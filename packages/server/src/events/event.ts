/** What happened to an object, and how the same thing again is counted. Pure. */
import type { ObjectEvent } from '@gantry/api'

export type Happened = Pick<ObjectEvent, 'type' | 'reason' | 'message' | 'by'>

/** Of one object, so many different ones are kept: the newest. */
export const mostEvents = 50
const longestMessage = 1024

/** `events` oldest first. The same thing moves to the end with its count raised. */
export function withEvent(events: readonly ObjectEvent[], happened: Happened, at: string, count = 1): ObjectEvent[] {
  const message = happened.message.slice(0, longestMessage)
  const isSame = (event: ObjectEvent): boolean =>
    event.type === happened.type &&
    event.reason === happened.reason &&
    event.message === message &&
    event.by === happened.by
  const before = events.find(isSame)
  const next: ObjectEvent = before
    ? { ...before, count: before.count + count, lastAt: at }
    : { ...happened, message, count, firstAt: at, lastAt: at }
  return [...events.filter((event) => !isSame(event)), next].slice(-mostEvents)
}

/** Two lists of the same object, e.g. what is stored and what came since. */
export function mergeEvents(stored: readonly ObjectEvent[], since: readonly ObjectEvent[]): ObjectEvent[] {
  return since.reduce<ObjectEvent[]>(
    (events, event) => {
      const merged = withEvent(events, event, event.lastAt, event.count)
      return merged
    },
    [...stored],
  )
}

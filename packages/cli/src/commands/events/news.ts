/** Pure: which events say something new. */
import type { TenantEvent } from '@gantry/api'

export class News {
  readonly #counts = new Map<string, number>()

  /** Those that were not told yet, or happened again; oldest first. */
  of(events: readonly TenantEvent[]): TenantEvent[] {
    const fresh = events.filter((event) => this.#counts.get(keyOf(event)) !== event.count)
    for (const event of fresh) this.#counts.set(keyOf(event), event.count)
    return fresh.toSorted((one, other) => Date.parse(one.lastAt) - Date.parse(other.lastAt))
  }
}

function keyOf({ about, type, reason, message, by, firstAt }: TenantEvent): string {
  return JSON.stringify([about.kind, about.name, type, reason, message, by, firstAt])
}

/** The time of the newest, which is asked for again: of one moment there may be several. */
export function newestOf(events: readonly TenantEvent[], before: string | undefined): string | undefined {
  const times = [...events.map(({ lastAt }) => lastAt), ...(before === undefined ? [] : [before])]
  return times.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
}

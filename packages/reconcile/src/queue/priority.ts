/** What waits for a worker is served in this order; within one priority, tenants take turns. */
export const priority = {
  /** Somebody changed something, and may be looking at the screen. */
  change: 0,
  /** A key whose own delay has run out: a yield or a retry. */
  retry: 1,
  /** Nothing is known to have happened; we look anyway. */
  resync: 2,
} as const

export type Priority = (typeof priority)[keyof typeof priority]

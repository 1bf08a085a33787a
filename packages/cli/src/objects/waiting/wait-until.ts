/** Stays until objects have come to what is waited for, and says on the way how they are. */
import { type Clock, Fault, formatDuration, withDeadline } from '@gantry/core'
import type { Where } from '../find.ts'
import { follow } from '../follow.ts'
import type { Target } from '../targets.ts'
import { type Goal, goalWords } from './goal.ts'
import { type Line, Tracker } from './tracker.ts'

export const usualPatienceMs = 300_000

export type Patience = {
  readonly clock: Clock
  readonly timeoutMs: number
  /** Told of every change, in order. */
  readonly say: (line: Line) => Promise<void>
}

/** Answers how many were waited for; a `deadline` fault says how they were last. */
export async function waitUntil(target: Target, goal: Goal, where: Where, patience: Patience): Promise<number> {
  const { clock, timeoutMs, say } = patience
  const what = `Waiting for ${goalWords(goal)}`
  const deadline = withDeadline(clock, timeoutMs, what, where)
  const tracker = new Tracker(goal)
  try {
    for await (const seen of follow(target, { ...where, signal: deadline.signal })) {
      const [fault] = seen.type === 'all' && goal.type !== 'delete' ? seen.group.missing : []
      if (fault) throw fault
      for (const line of tracker.see(seen, clock.now())) await say(line)
      if (!tracker.isDone) continue
      const absent = goal.type === 'delete' && tracker.count === 0 ? target.names : []
      for (const name of absent) await say({ about: nameOf(target.face, name), isMet: true, text: 'gone' })
      return tracker.count + absent.length
    }
    throw new Error('Following ends only by being aborted')
  } catch (error) {
    if (!deadline.passed()) throw error
    throw late(what, timeoutMs, tracker.pending(clock.now()), error)
  } finally {
    deadline.clear()
  }
}

function nameOf({ kind }: Target['face'], name: string): string {
  return `${kind.toLowerCase()}/${name}`
}

function late(what: string, timeoutMs: number, pending: readonly string[], cause: unknown): Fault {
  const [first = 'nothing could be seen', ...more] = pending
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  const next = 'wait longer with --timeout, or look with "gantry describe"'
  return new Fault(
    'deadline_exceeded',
    `${what} took longer than ${formatDuration(timeoutMs)}: ${first}${others}; ${next}`,
    { cause },
  )
}

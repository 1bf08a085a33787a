/** The clock of a process. Not the one of core: `performance` takes a few milliseconds to load, and the CLI has few. */
import type { Clock } from '@gantry/core'

const longestTimer = 2_147_483_647

export const processClock: Clock = {
  now: () => Date.now(),
  monotonic,
  after(delayMs, task) {
    const due = monotonic() + delayMs
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const left = due - monotonic()
      timer = left > longestTimer ? setTimeout(arm, longestTimer) : setTimeout(task, Math.max(0, left))
    }
    arm()
    return () => clearTimeout(timer)
  },
}

function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

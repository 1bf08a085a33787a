/** Time as a parameter: whatever waits, waits on a `Clock`, so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970, as people read it; may jump when the machine's clock is set. */
  now(): number
  /** Milliseconds that only ever grow: for durations and deadlines. */
  monotonic(): number
  /** Runs `task` once after `delayMs`. The returned function takes it back; calling it twice is harmless. */
  after(delayMs: number, task: () => void): () => void
}

/** Node and browsers fire a timer at once when asked for more than this; longer waits are made of several. */
const longestTimer = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const due = performance.now() + delayMs
    let timer: ReturnType<typeof setTimeout>
    const arm = (): void => {
      const left = due - performance.now()
      timer = left > longestTimer ? setTimeout(arm, longestTimer) : setTimeout(task, Math.max(0, left))
    }
    arm()
    return () => clearTimeout(timer)
  },
}

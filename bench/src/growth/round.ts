/** One round in a process of its own, so that memory is this round's: `node child.js COUNT` prints seconds and megabytes. */

export type Figures = { readonly seconds: number; readonly megabytes: number }

export type Fleet = {
  /** Writes the objects, waits until the store says that every one is ready, and answers how long that took. */
  converge(count: number): Promise<number>
  close(): Promise<void>
}

export async function playRound(openFleet: (signal: AbortSignal) => Promise<Fleet>): Promise<void> {
  const fleet = await openFleet(AbortSignal.timeout(600_000))
  const seconds = await fleet.converge(Number(process.argv[2]))
  const figures: Figures = { seconds, megabytes: process.resourceUsage().maxRSS / 1024 }
  await fleet.close()
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

/** How long until all of them are ready, which is listened for before the first is written. */
export async function timed(ready: Promise<void>, write: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await Promise.all([ready, write()])
  return (performance.now() - started) / 1000
}

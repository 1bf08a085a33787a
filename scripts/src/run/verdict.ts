/** Whether a run may call itself green: every reason why not, in words. */
import type { EngineLine } from './engine-lines.ts'
import type { Tally } from './tally.ts'

export type NodeRun = {
  readonly node: string
  /** Undefined: the runner ended without a result. */
  readonly tally: Tally | undefined
  /** The runner's own exit code, or the signal that ended it. */
  readonly exit: number | string
}

export type Terms = {
  /** GANTRY_ENGINES=required */
  readonly enginesRequired: boolean
  /** A name filter skips the rest without a reason, and rightly so. */
  readonly filteredByName: boolean
}

export function problems(runs: readonly NodeRun[], engines: readonly EngineLine[], terms: Terms): string[] {
  const ofRuns = runs.flatMap((run) => problemsOf(run, terms).map((problem) => `Node ${run.node}: ${problem}`))
  const missing = terms.enginesRequired ? engines.filter(({ state }) => state.startsWith('missing')) : []
  return [...ofRuns, ...missing.map(({ name, state }) => `engine ${name} is required, but ${state}`)]
}

function problemsOf({ tally, exit }: NodeRun, { filteredByName }: Terms): string[] {
  if (!tally) return [`the test runner ended (${exit}) without a result`]
  const found: string[] = []
  if (tally.failed > 0) found.push(`${tally.failed} failed`)
  if (tally.interrupted) found.push('the run was interrupted')
  if (tally.passed + tally.failed === 0) found.push('no test ran')
  const unexplained = tally.skips.filter(({ why }) => why === undefined).length
  if (unexplained > 0 && !filteredByName) found.push(`${unexplained} skipped without a reason`)
  if (found.length === 0 && exit !== 0) found.push(`the test runner ended with ${exit}`)
  return found
}

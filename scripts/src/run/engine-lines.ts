/** The table of engines at the end of a run. */
import type { EngineStatus } from '@gantry/engines'

export type EngineLine = { readonly name: string; readonly state: string }

/** `ready`: it ran before we came; `started`: for this run; `missing`: with the reason; `not used`: no test asked for it. */
export function engineLines(
  before: readonly EngineStatus[],
  after: readonly EngineStatus[],
  runStarted: number,
): EngineLine[] {
  return after.map((now) => {
    const ranBefore = before.some((one) => one.name === now.name && one.state === 'running')
    return { name: `${now.name} ${now.version}`, state: stateOf(now, ranBefore, runStarted) }
  })
}

function stateOf({ state, why, failed }: EngineStatus, ranBefore: boolean, runStarted: number): string {
  if (state === 'missing') return `missing: ${why}`
  if (failed && failed.at >= runStarted) return `missing: ${failed.why}`
  if (state === 'running') return ranBefore ? 'ready' : 'started'
  return 'not used'
}

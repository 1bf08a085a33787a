/** Pure: how results are told. */
import type { Acted } from './act.ts'
import type { Tried } from './campaign.ts'
import type { GroundName } from './ground.ts'
import { targetName } from './targets.ts'

export function line(ground: GroundName, { target, end, why, ms }: Tried, at: number, of: number): string {
  const place = `[${String(at).padStart(String(of).length)}/${of}]`
  const told = `${place} ${end.padEnd(9)} ${seconds(ms)} s  ${targetName(target)}`
  return end === 'failed' ? `${told}\n${explain(why)}\n    again: ${replay(ground, targetName(target))}` : told
}

/** The names of what passed, in the output of a run. */
export const passedIn = (output: string): readonly string[] =>
  [...output.matchAll(/^\[ *\d+\/\d+\] passed +[\d.]+ s {2}(.+)$/gm)].map(([, name = '']) => name)

export const watchedLine = ({ action, passed, ms }: Pick<Acted, 'action' | 'passed' | 'ms'>): string =>
  `watched ${seconds(ms)} s  ${action}: ${passed.length} points`

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(5)

const explain = (why: readonly string[]): string => why.map((sentence) => `    ${sentence}`).join('\n')

export const replay = (ground: GroundName, name: string): string =>
  `npm run harness -- --engine ${ground} --only ${JSON.stringify(name)}`

/** `of`: how many there were to try, where that may be more. */
export function closing(
  tried: readonly Tried[],
  leftRunning: readonly string[],
  ms: number,
  of = tried.length,
): string {
  const which = (end: Tried['end']): readonly Tried[] => tried.filter((each) => each.end === end)
  const names = (some: readonly Tried[]): string => some.map(({ target }) => `\n    ${targetName(target)}`).join('')
  const [passed, unreached, failed] = [which('passed'), which('unreached'), which('failed')]
  return [
    `${tried.length} tried in ${Math.round(ms / 1000)} s: ${passed.length} passed, ${failed.length} failed`,
    ...(of > tried.length ? [`${of - tried.length} were not come to before it was ended`] : []),
    ...(unreached.length > 0 ? [`${unreached.length} were not come by in any of three runs:${names(unreached)}`] : []),
    ...(failed.length > 0 ? [`failed:${names(failed)}`] : []),
    ...(leftRunning.length > 0 ? [`still running at the end:\n    ${leftRunning.join('\n    ')}`] : []),
  ].join('\n')
}

/** Pure: how results are told. */
import type { Tried } from './campaign.ts'
import type { GroundName } from './ground.ts'
import { targetName } from './targets.ts'

export function line(ground: GroundName, { target, end, why, ms }: Tried, at: number, of: number): string {
  const place = `[${String(at).padStart(String(of).length)}/${of}]`
  const told = `${place} ${end.padEnd(9)} ${(ms / 1000).toFixed(1).padStart(5)} s  ${targetName(target)}`
  return end === 'failed' ? `${told}\n${explain(why)}\n    again: ${replay(ground, targetName(target))}` : told
}

const explain = (why: readonly string[]): string => why.map((sentence) => `    ${sentence}`).join('\n')

export const replay = (ground: GroundName, name: string): string =>
  `npm run harness -- --engine ${ground} --only ${JSON.stringify(name)}`

export function closing(tried: readonly Tried[], leftRunning: readonly string[], ms: number): string {
  const of = (end: Tried['end']): readonly Tried[] => tried.filter((each) => each.end === end)
  const names = (some: readonly Tried[]): string => some.map(({ target }) => `\n    ${targetName(target)}`).join('')
  const [passed, unreached, failed] = [of('passed'), of('unreached'), of('failed')]
  return [
    `${tried.length} tried in ${Math.round(ms / 1000)} s: ${passed.length} passed, ${failed.length} failed`,
    ...(unreached.length > 0 ? [`${unreached.length} were not come by in any of three runs:${names(unreached)}`] : []),
    ...(failed.length > 0 ? [`failed:${names(failed)}`] : []),
    ...(leftRunning.length > 0 ? [`still running at the end:\n    ${leftRunning.join('\n    ')}`] : []),
  ].join('\n')
}

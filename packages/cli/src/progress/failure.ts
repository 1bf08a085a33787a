/** Pure: why a rollout failed, as far as it was kept: who ended, how, and its last words. */

import type { Style } from '../output/style.ts'
import { clean } from '../output/table.ts'
import type { Rollout } from './picture.ts'

export function failureLines({ spec, status: { failure } }: Rollout, style: Style): string[] {
  if (!failure) return []
  const { service, replica, exitCode, logTail = [] } = failure
  const who = [
    ...(service === undefined ? [] : [`service ${service}`]),
    ...(replica === undefined ? [] : [`replica ${replica}`]),
    `v${spec.release} of ${spec.workload}`,
  ].join(' of ')
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`
  if (logTail.length === 0) return code === '' ? [] : [`${who}${code}`]
  return [`The last lines of ${who}${code}:`, ...logTail.map((line) => `  ${style.dim('|')} ${clean(line)}`)]
}

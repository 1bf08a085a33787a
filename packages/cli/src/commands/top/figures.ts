/** Pure: figures of use as people read them. */
import type { UsageReply, UsageSample } from '@gantry/api'
import { table } from '../../output/table.ts'

export type Used = { readonly name: string; readonly ready: string; readonly usage: UsageReply }

const units = ['B', 'Ki', 'Mi', 'Gi', 'Ti'] as const

/** 250m, or 1.5 from ten cores' thousandths on. */
export function cpuText(millis: number | undefined): string {
  if (millis === undefined) return '-'
  return `${Math.round(millis)}m`
}

/** With as many digits as say something: 0B, 934Ki, 12.4Mi, 3.1Gi. */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return '-'
  let size = bytes
  let at = 0
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024
    at++
  }
  return `${size < 10 && at > 0 ? size.toFixed(1) : Math.round(size)}${units[at]}`
}

export function latest({ samples }: UsageReply): UsageSample | undefined {
  return samples.at(-1)
}

/** The greatest memory first; what is not known comes last. */
export function usageTable(rows: readonly Used[]): string {
  const memory = ({ usage }: Used): number => latest(usage)?.memoryBytes ?? -1
  const sorted = rows.toSorted((one, other) => memory(other) - memory(one) || one.name.localeCompare(other.name))
  return table(
    ['NAME', 'READY', 'CPU', 'MEMORY', 'LIMIT', 'NET IN', 'NET OUT'],
    sorted.map(({ name, ready, usage }) => {
      const now = latest(usage)
      const bytes = [now?.memoryBytes, now?.memoryLimitBytes, now?.networkInBytes, now?.networkOutBytes]
      return [name, ready, cpuText(now?.cpuMillis), ...bytes.map(bytesText)]
    }),
  )
}

/** Of one workload, each replica by itself; nothing where its engine tells only of all together. */
export function replicaTable({ usage: { replicas = [] } }: Used): string {
  if (replicas.length === 0) return ''
  const sorted = replicas.toSorted((one, other) => one.slot.localeCompare(other.slot) || one.replica - other.replica)
  const rows = sorted.map(({ slot, replica, cpuMillis, memoryBytes }) => [
    `${slot}/${replica}`,
    cpuText(cpuMillis),
    bytesText(memoryBytes),
  ])
  return table(['REPLICA', 'CPU', 'MEMORY'], rows)
}

/** One workload over its samples. */
export function historyTable({ usage }: Used): string {
  const { samples } = usage
  const row = (title: string, pick: (sample: UsageSample) => number | undefined, text: typeof cpuText): string[] => {
    const known = samples.map(pick).filter((figure) => figure !== undefined)
    const average = known.length === 0 ? undefined : known.reduce((sum, figure) => sum + figure, 0) / known.length
    const most = known.length === 0 ? undefined : Math.max(...known)
    const now = latest(usage)
    return [title, text(now && pick(now)), text(average), text(most)]
  }
  return table(
    ['USED', 'NOW', 'AVERAGE', 'MOST'],
    [
      row('cpu', ({ cpuMillis }) => cpuMillis, cpuText),
      row('memory', ({ memoryBytes }) => memoryBytes, bytesText),
      row('disk', ({ diskBytes }) => diskBytes, bytesText),
    ],
  )
}

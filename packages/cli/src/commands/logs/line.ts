/** Pure: a line of a log as it is shown. */
import type { WorkloadLog } from '@gantry/api'
import type { Style } from '../../output/style.ts'

export type LinesOptions = {
  /** Whether lines say from the beginning whose they are. */
  readonly prefixes: boolean
  readonly timestamps: boolean
  readonly style: Style
}

export type Shown = { readonly out?: string; readonly err?: string }

/** Remembers who has written, so that each keeps its colour, and a second one makes all say who they are. */
export function lineWriter({ prefixes, timestamps, style }: LinesOptions): (log: WorkloadLog) => Shown {
  const writers = new Map<string, number>()
  return (log) => {
    const who = `${log.service}/${log.replica}`
    const at = writers.get(who) ?? writers.size
    writers.set(who, at)
    if ('gap' in log) return { err: `${who} at ${log.ts}: lines are missing here: ${log.gap}\n` }
    const prefix = prefixes || writers.size > 1 ? `${style.nth(at, who)} ` : ''
    return { out: `${prefix}${timestamps ? `${style.dim(log.ts)} ` : ''}${log.line}\n` }
  }
}

type Services = readonly { readonly name: string }[]

/** Whether more than one of them can be heard. */
export function hasSeveral(
  spec: { readonly replicas: number; readonly services: Services; readonly source?: unknown },
  chosen: { readonly service?: string | undefined; readonly replica?: number | undefined },
): boolean {
  // What others wrote may be any number of things; a second one that is heard makes all say who they are.
  if (spec.source !== undefined) return false
  const services = chosen.service === undefined ? spec.services.length : 1
  return services * (chosen.replica === undefined ? spec.replicas : 1) > 1
}

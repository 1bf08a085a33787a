/** Which sources a query is about. */
import type { KeptSource } from '../log-store.ts'
import type { SourceName } from '../source.ts'

export type Selection = {
  readonly service?: string | undefined
  /** By index. */
  readonly replica?: number | undefined
  /** Of each service of each replica, only the one that was there before the one that is there now. */
  readonly previous?: boolean | undefined
}

type Candidate = Pick<KeptSource, 'name' | 'isOpen' | 'first'>

export function selected<T extends Candidate>(sources: readonly T[], selection: Selection): T[] {
  const fitting = sources.filter(({ name }) => isSelected(name, selection))
  return selection.previous ? lastGone(fitting) : fitting
}

export function isSelected(name: SourceName, { service, replica }: Selection): boolean {
  return (service === undefined || name.service === service) && (replica === undefined || name.index === replica)
}

function lastGone<T extends Candidate>(sources: readonly T[]): T[] {
  const newest = new Map<string, T>()
  for (const source of sources) {
    if (source.isOpen) continue
    const key = `${source.name.service}/${source.name.index}`
    const known = newest.get(key)
    if (!known || source.first > known.first) newest.set(key, source)
  }
  return [...newest.values()]
}

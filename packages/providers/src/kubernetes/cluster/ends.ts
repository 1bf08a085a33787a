/** How often containers of a pod have ended within the last hour. The cluster keeps only a count without times. */
import type { ContainerSeen, PodSeen } from '../observe/seen.ts'

const hourMs = 3_600_000

type Told = { readonly count: number; readonly times: readonly number[] }

export class Ends {
  /** By service. */
  readonly #told = new Map<string, Told>()

  /** What was not seen to happen counts where it must have been within the hour, or is the last end and was. */
  of({ containers, createdAt }: PodSeen, now: number): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const [service, container] of Object.entries(containers)) {
      const count = endsOf(container)
      if (count === 0) continue
      const before = this.#told.get(service)
      const unseen = createdAt > now - hourMs ? count : isRecent(container, now) ? 1 : 0
      const fresh = before ? Math.max(0, count - before.count) : unseen
      const recent = (before?.times ?? []).filter((time) => time > now - hourMs)
      const times = [...recent, ...Array<number>(fresh).fill(container.end?.at ?? now)]
      this.#told.set(service, { count, times })
      counts[service] = times.length
    }
    return counts
  }
}

/** The count grows when it is started again: an end that nothing followed yet is one more. */
const endsOf = ({ restarts, state, end }: ContainerSeen): number =>
  restarts + (state !== 'running' && end !== undefined ? 1 : 0)

const isRecent = ({ end }: ContainerSeen, now: number): boolean => end?.at !== undefined && end.at > now - hourMs

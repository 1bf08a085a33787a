/** Looks over the shoulders of the controllers all the time: nothing may be shown as well while nobody can look. */
import { conditionOf } from '../../controllers/conditions.ts'
import type { Rig } from './rig.ts'

/** A stream that breaks says so at once; an engine that merely hangs is found out at the next question to it. */
const allowedMs = { cut: 3_000, hang: 25_000 } as const

export class Watch {
  readonly #rig: Rig
  readonly #lies = new Set<string>()
  #cutSince: number | undefined
  #hungSince: number | undefined
  #upSince: number | undefined

  constructor(rig: Rig) {
    this.#rig = rig
  }

  get lies(): readonly string[] {
    return [...this.#lies]
  }

  /** Whether something is wrong that must not be shown as well. */
  get isWorthIt(): boolean {
    return !this.#rig.world.reachable || this.#rig.line.hangs
  }

  async look(): Promise<void> {
    const { world, line, isUp, clock } = this.#rig
    const now = clock.now()
    // A line that hangs does not even say that it is cut.
    this.#cutSince = world.reachable || line.hangs ? undefined : (this.#cutSince ?? now)
    this.#hungSince = line.hangs ? (this.#hungSince ?? now) : undefined
    this.#upSince = isUp ? (this.#upSince ?? now) : undefined
    if (this.#upSince === undefined) return
    const cut = this.#for(this.#cutSince, now) > allowedMs.cut
    const hung = this.#for(this.#hungSince, now) > allowedMs.hang
    if (!cut && !hung) return
    for (const workload of await this.#rig.list('Workload')) {
      const ready = conditionOf(workload, 'Ready')
      if (ready?.status !== 'True') continue
      const how = cut ? 'cut off' : 'hanging'
      this.#lies.add(`${workload.metadata.name} is shown as ready (${ready.message}) while its engine is ${how}`)
    }
  }

  /** How long the server could have known. */
  #for(since: number | undefined, now: number): number {
    return since === undefined || this.#upSince === undefined ? 0 : now - Math.max(since, this.#upSince)
  }
}

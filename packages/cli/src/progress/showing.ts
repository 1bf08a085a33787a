/** Progress where a person looks is painted in place, once a second also without news, as ages grow. Elsewhere it is told. */
import type { Clock } from '@gantry/core'
import type { Screen } from '../world/world.ts'
import { painterOn } from './painter.ts'
import type { WorkloadSight } from './sight.ts'
import { changeLines, progressLines } from './view.ts'

export interface Showing {
  show(sights: readonly WorkloadSight[]): Promise<void>
  /** What was shown stays. Calling it twice is harmless. */
  end(): void
}

/** `failed`: told if the screen cannot be written to. */
export function showingOn(screen: Screen, clock: Clock, failed: (error: unknown) => void): Showing {
  return screen.isTerminal ? painted(screen, clock, failed) : told(screen)
}

function painted(screen: Screen, clock: Clock, failed: (error: unknown) => void): Showing {
  const painter = painterOn(screen)
  let sights: readonly WorkloadSight[] = []
  let ended = false
  let cancel = (): void => undefined
  const paint = (): Promise<void> =>
    painter.paint(progressLines(sights, clock.now(), { columns: screen.columns, rows: screen.rows }, screen.style))
  const again = (): void => {
    if (ended) return
    paint().catch(failed)
    cancel = clock.after(1000, again)
  }
  const leave = screen.onResize(() => paint().catch(failed))
  return {
    async show(next) {
      const isFirst = sights.length === 0
      sights = next
      if (isFirst) again()
      else await paint()
    },
    end() {
      ended = true
      cancel()
      leave()
    },
  }
}

function told(screen: Screen): Showing {
  let before: readonly WorkloadSight[] = []
  return {
    async show(sights) {
      const lines = changeLines(before, sights)
      before = sights
      if (lines.length > 0) await screen.write(lines.map((line) => `${line}\n`).join(''))
    },
    end: () => undefined,
  }
}

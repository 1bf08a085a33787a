/** Suites that hold for every way of keeping trees together: run once for each that this machine has, all on one site. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { TrackingKind } from '../process-state.ts'
import { chooseHolding } from '../tracking/choose.ts'
import { Site } from './site.ts'

const kinds = ['cgroup2', 'cgroup1', 'marker'] as const satisfies readonly TrackingKind[]

export function forEachTracking(title: string, suite: (site: () => Site, kind: TrackingKind) => void): void {
  for (const kind of kinds) {
    const holding = chooseHolding('a folder that is not there', kind)
    holding.sweep()
    const there = holding.tracking.kind === kind
    const name = there ? `${title}, by ${kind}` : `${title}, by ${kind} (skipped: no such group is writable here)`
    describe.skipIf(!there)(name, () => {
      let site: Site | undefined
      beforeAll(() => {
        site = new Site({ trackBy: kind })
      })
      afterAll(() => site?.close())
      suite(() => {
        if (!site) throw new Error('there is a site in every test')
        return site
      }, kind)
    })
  }
}

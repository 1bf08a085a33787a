/** Replicas that come up, crash, vanish and leave as they like, wishes that change meanwhile: what the plan holds in all of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InPlaceUpdate } from '../desired.ts'
import { nextMoves } from './plan.ts'
import { type ReplicaView, untilAvailable, type Wanted, wantedCount } from './view.ts'

type Happening =
  | { readonly do: 'pass' }
  | { readonly do: 'time'; readonly ms: number }
  | { readonly do: 'ready' | 'crash' | 'fail' | 'blur' | 'vanish' | 'gone'; readonly which: number }
  | { readonly do: 'release'; readonly hash: string }
  | { readonly do: 'scale'; readonly replicas: number }
  | { readonly do: 'run'; readonly run: 'running' | 'stopped' }

const which = fc.nat({ max: 9 })
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ do: 'pass' } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.nat({ max: 4000 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('ready' as const, 'gone' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('crash', 'fail', 'blur', 'vanish' as const),
      which,
    }) as fc.Arbitrary<Happening>,
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), hash: fc.constantFrom('v1', 'v2', 'v3') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('scale' as const), replicas: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      run: fc.constantFrom('running' as const, 'stopped' as const),
    }),
  },
)

const update: fc.Arbitrary<InPlaceUpdate> = fc.oneof(
  fc
    .record({
      maxSurge: fc.nat({ max: 3 }),
      maxUnavailable: fc.nat({ max: 3 }),
      minReadySeconds: fc.constantFrom(0, 2),
    })
    .filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0)
    .map((rolling) => ({ type: 'rolling' as const, ...rolling })),
  fc.constant({ type: 'recreate' as const, minReadySeconds: 0 }),
)

const wanted: fc.Arbitrary<Wanted> = fc.record({
  type: fc.constantFrom('deployment' as const, 'stateful_set' as const),
  run: fc.constant('running' as const),
  replicas: fc.nat({ max: 5 }),
  specHash: fc.constant('v1'),
  update,
})

/** Those that serve, in the plan's own sense: long enough where they are new, at all where they are old. */
const serving = (want: Wanted, replicas: readonly ReplicaView[], now: number): number =>
  replicas.filter((each) => {
    if (each.leaving) return false
    return each.specHash === want.specHash ? untilAvailable(want, each, now) === 0 : each.ready === true
  }).length

class Model {
  want: Wanted
  now = 0
  replicas: ReplicaView[] = []
  #made = 0

  constructor(want: Wanted) {
    this.want = want
  }

  happens(what: Happening): void {
    if (what.do === 'pass') this.pass()
    else if (what.do === 'time') this.now += what.ms
    else if (what.do === 'release') this.want = { ...this.want, specHash: what.hash }
    else if (what.do === 'scale') this.want = { ...this.want, replicas: what.replicas }
    else if (what.do === 'run') this.want = { ...this.want, run: what.run }
    else this.#one(what.do, this.replicas[what.which % Math.max(1, this.replicas.length)])
  }

  #one(what: 'ready' | 'crash' | 'fail' | 'blur' | 'vanish' | 'gone', one: ReplicaView | undefined): void {
    if (!one) return
    const become = (more: Partial<ReplicaView>): void => {
      this.replicas = this.replicas.map((each) => (each.id === one.id ? { ...each, ...more } : each))
    }
    if (what === 'vanish' || (what === 'gone' && one.leaving)) {
      this.replicas = this.replicas.filter(({ id }) => id !== one.id)
    } else if (what === 'ready' && !one.failed && !one.ready) become({ ready: true, readySince: this.now })
    else if (what === 'crash') become({ ready: false, readySince: undefined })
    else if (what === 'fail') become({ ready: false, readySince: undefined, failed: 'again' })
    else if (what === 'blur') become({ ready: undefined, readySince: undefined })
  }

  /** What the plan says, done; and what must hold of it. Answers whether anything is left to wait for. */
  pass(): boolean {
    const { want, now } = this
    const { moves, waiting } = nextMoves(want, this.replicas, now, true)
    const before = { serving: serving(want, this.replicas, now), staying: this.#staying() }
    for (const move of moves) {
      if (move.do === 'create') this.#create(move.index)
      else this.replicas = this.replicas.map((each) => (each.id === move.id ? { ...each, leaving: true } : each))
    }
    const count = wantedCount(want)
    const surge = want.update.type === 'rolling' && want.type === 'deployment' ? want.update.maxSurge : 0
    expect(this.#staying()).toBeLessThanOrEqual(Math.max(before.staying, count + surge))
    expect(new Set(this.replicas.map(({ index }) => index)).size).toBe(this.replicas.length)
    if (want.update.type === 'rolling') {
      const allowed =
        want.type === 'stateful_set' ? Math.max(1, want.update.maxUnavailable) : want.update.maxUnavailable
      expect(serving(want, this.replicas, now)).toBeGreaterThanOrEqual(Math.min(before.serving, count - allowed))
    } else if (moves.some((move) => move.do === 'create')) {
      expect(this.replicas.every(({ specHash }) => specHash === want.specHash)).toBe(true)
    }
    return waiting !== undefined
  }

  #create(index: number): void {
    this.#made += 1
    const { specHash } = this.want
    const fresh = { leaving: false, failed: undefined, ready: false, readySince: undefined }
    this.replicas = [...this.replicas, { id: `n${this.#made}`, index, specHash, ...fresh }]
  }

  #staying(): number {
    return this.replicas.filter(({ leaving }) => !leaving).length
  }

  /** From here on nothing goes wrong: what was made comes up, what leaves goes. */
  calm(): void {
    this.now += 2000
    this.replicas = this.replicas
      .filter(({ leaving }) => !leaving)
      .map((each) => (each.failed || each.ready ? each : { ...each, ready: true, readySince: this.now - 2000 }))
  }
}

describe('a replica set through whatever happens', () => {
  it('stays within its limits at every step, and ends at what is wanted', () => {
    fc.assert(
      fc.property(wanted, fc.array(happening, { maxLength: 80 }), (want, happenings) => {
        const model = new Model(want)
        for (const each of happenings) model.happens(each)
        let steps = 0
        while (model.pass()) {
          model.calm()
          steps += 1
          expect(steps, 'it ends').toBeLessThan(60)
        }
        const count = wantedCount(model.want)
        expect(model.replicas.map(({ specHash }) => specHash)).toEqual(Array(count).fill(model.want.specHash))
        if (model.want.type === 'stateful_set') {
          const numbers = model.replicas.map(({ index }) => index).sort((left, right) => left - right)
          expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at))
        }
      }),
      { numRuns: 500 },
    )
  })
})

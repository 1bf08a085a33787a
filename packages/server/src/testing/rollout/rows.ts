/** Rows over `nextStep`: a rollout, what was seen, and what it does about it. */
import type { RolloutSpec, RolloutStatus } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { RolloutFacts } from '../../rollout/facts.ts'
import { nextStep } from '../../rollout/next-step.ts'
import type { Deed } from '../../rollout/step.ts'
import { specOf, start, strategies } from './scenes.ts'

export type Row = readonly [
  title: string,
  rollout: { readonly spec?: Partial<RolloutSpec>; readonly status?: RolloutStatus },
  facts: RolloutFacts,
  expected: {
    readonly status?: Partial<RolloutStatus>
    readonly deeds?: readonly Partial<Deed>[]
    readonly afterMs?: number
  },
]

/** Ten seconds after it began. */
const now = start + 10_000

export function rows(title: string, all: readonly Row[]): void {
  describe(title, () => {
    it.each(all.map((row) => [row[0], row] as const))('%s', (_, [, { spec, status = {} }, facts, expected]) => {
      const step = nextStep({ spec: specOf(spec), status }, facts, now)
      if (expected.status) expect(step.status).toMatchObject(expected.status)
      if (expected.deeds) expect(step.deeds).toMatchObject(expected.deeds)
      if (expected.deeds) expect(step.deeds).toHaveLength(expected.deeds.length)
      if (expected.afterMs !== undefined) expect(step.afterMs).toBe(expected.afterMs)
    })
  })
}

export const put = (slot: 'a' | 'b', release: number) => ({ do: 'put', slot, release, paused: false }) as const
export const remove = (slot: 'a' | 'b') => ({ do: 'remove', slot }) as const
export const blueGreen = { strategy: strategies.blue_green }
export const canary = { strategy: strategies.canary }
export const noAck = { traffic: { acknowledged: false } }
export const exit = { service: 'web', replica: 0, engineId: 'r1', exitCode: 1, startedAt: start + 5000 }

/** The contract as a vitest suite. The only file here that knows a test runner. */
import { describe, expect, it } from 'vitest'
import { runCase, type Skips } from './case.ts'
import { contractCases, contractGroups } from './cases.ts'
import type { Harness } from './harness.ts'

export type ContractOptions = {
  /** By the title of a case: why it does not apply. Legal only where what the case needs is not offered. */
  readonly skips?: Skips
  /** For one case on a real engine. */
  readonly timeoutMs?: number
  /** Cases side by side: for engines on which most of the time is waiting. Each has a harness of its own. */
  readonly concurrent?: boolean
  /** Only these groups, for an engine that differs from another in nothing else; left out: the whole contract. */
  readonly groups?: readonly string[]
}

export function providerContract(name: string, make: () => Promise<Harness>, options: ContractOptions = {}): void {
  const { skips = {}, timeoutMs = 120_000, concurrent = false, groups = Object.keys(contractGroups) } = options
  describe(`${name} keeps the provider contract`, { concurrent }, () => {
    it('skips only cases that exist', () => {
      const titles = new Set(contractCases.map(({ title }) => title))
      expect(Object.keys(skips).filter((title) => !titles.has(title))).toEqual([])
      expect(groups.filter((group) => !Object.hasOwn(contractGroups, group))).toEqual([])
    })
    for (const [group, cases] of Object.entries(contractGroups)) {
      if (!groups.includes(group)) continue
      describe(group, () => {
        for (const each of cases) {
          it(each.title, { timeout: timeoutMs }, async (context) => {
            const outcome = await runCase(each, make, skips)
            if (outcome) context.skip(outcome.skipped)
          })
        }
      })
    }
  })
}

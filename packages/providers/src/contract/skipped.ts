/** Cases that do not apply to an engine, all for one reason. */
import type { ContractCase, Skips } from './case.ts'

export const skipped = (cases: readonly ContractCase[], reason: string): Skips =>
  Object.fromEntries(cases.map(({ title }) => [title, reason]))

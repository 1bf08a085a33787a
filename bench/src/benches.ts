/** Every benchmark there is, in the order of RESULTS.md. */
import type { Bench } from './bench.ts'

export const benches: readonly Bench[] = []

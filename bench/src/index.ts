export type { Bench, BenchContext, Report, Row } from './bench.ts'
export { contest, limited } from './rounds.ts'

/** `@gantry/providers/simulated`: the engine in memory without the tests around it, for demonstrations and benchmarks. */
export type { TestProgram } from '../contract/program.ts'
export { crashService } from './crash.ts'
export { simulatedEngine } from './index.ts'
export { SimulatedWorld, type WorldEvent, type WorldTiming } from './world.ts'

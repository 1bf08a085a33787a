export { connectEdge } from './control/connect-edge.ts'
export type { EdgeLink } from './control/edge-link.ts'
export type { EdgeAnswer, EdgeQuestion, EdgeState, InFlight, Refusal } from './control/protocol.ts'
export type { Edge, EdgeOptions } from './edge.ts'
export { edgeMain } from './edge-program.ts'
export {
  type BackendFigures,
  type Counts,
  type EdgeFigures,
  type FailureReason,
  failureReasons,
  latencyBounds,
  type RouteFigures,
  type SlotFigures,
} from './figures/figures.ts'
export { controlPath, tablePath } from './paths.ts'
export { type EdgeLimits, usualLimits } from './proxy/limits.ts'
export { startEdge } from './start-edge.ts'
export { type Dial, type EdgeBackend, type EdgeRoute, type EdgeSlot, type EdgeTable, emptyTable } from './table.ts'
export { readTable } from './table-schema.ts'

export {
  type EngineAnswer,
  type EngineMissing,
  type EngineReady,
  engine,
  type PrivateEngine,
  startPrivate,
} from './api.ts'
export type { RestartMode } from './engine.ts'
export type { AddressOf, EngineName } from './table.ts'

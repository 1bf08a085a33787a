/** One thing an engine would do, as a value: shown to people by `plan`, and part of what a plan's hash covers. */
export type EngineStep = {
  readonly verb: 'create' | 'replace' | 'change' | 'start' | 'stop' | 'remove'
  /** What it is done to, in the engine's own words: `replica 2`, `volume data of replica 0`. */
  readonly object: string
  /** The engine's id of it, where it is there already. */
  readonly engineId?: string
  readonly why: string
}

/** The programs of an engine ahead of its first start: some are compiled, which is longer than any test waits. */
import type { Call } from '@gantry/core'
import type { EngineDefinition } from './engine.ts'
import { type EngineName, engines } from './table.ts'

/** Resolves when they are there, or cannot be on this machine; `engine` says why then. Rejects if making them failed. */
export async function prepareEngine(name: EngineName, call: Call): Promise<void> {
  const definition: EngineDefinition<unknown> = engines[name]
  if ((await definition.probe(call)) === undefined) await definition.install(call)
}

/** What an engine asks of whoever looks after workloads from another source: any that it has, told apart by type. */
import { Fault } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { DesiredFrom, SourceKeeper, SourceType } from './source-keeper.ts'

export interface SourceEngine extends SourceKeeper<Desired> {
  readonly type: SourceType
}

/** By name, since a class would lose its own with a copy. */
export function sourceEngine<T extends SourceType>(type: T, keeper: SourceKeeper<DesiredFrom<T>>): SourceEngine {
  return {
    type,
    check: (desired) => keeper.check(narrowed(desired, type)),
    plan: (desired, observed) => keeper.plan(desired && narrowed(desired, type), observed),
    converge: (desired, call) => keeper.converge(narrowed(desired, type), call),
    remove: (ref, call) => keeper.remove(ref, call),
    look: (ref, call) => keeper.look(ref, call),
    observe: (call) => keeper.observe(call),
    containersOf: (engineId, service, call) => keeper.containersOf(engineId, service, call),
    owns: (engineId) => keeper.owns(engineId),
    hasAny: (namespace, call) => keeper.hasAny(namespace, call),
    close: () => keeper.close(),
  }
}

function narrowed<T extends SourceType>(desired: Desired, type: T): DesiredFrom<T> {
  const { source } = desired
  if (source?.type !== type)
    throw new Fault('unexpected', `A workload from ${source?.type} was taken for one from ${type}`)
  return { ...desired, source: source as DesiredFrom<T>['source'] }
}

/** Pure: whether a replica may be taken out of the routes, and whether it is out. */
import type { EdgeRoute } from '@gantry/edge'
import type { RoutedSlot } from './routed-objects.ts'

const isOf = (engineId: string) => (backend: string) => backend.startsWith(`${engineId}/`)

/** `routes`: those of its workload. Whether it gets requests by any of them. */
export function isServing(routes: readonly EdgeRoute[], engineId: string): boolean {
  return routes.some(({ slots }) => slots.some(({ backends }) => backends.some(isOf(engineId))))
}

/**
 * Whether some route would be left with nobody, although the instance is to answer throughout. Then another replica is
 * ready already or soon will be, and it is only that nobody has seen it yet.
 */
export function mustWait(
  routes: readonly EdgeRoute[],
  engineId: string,
  leaving: ReadonlySet<string>,
  instance: RoutedSlot | undefined,
): boolean {
  if (!instance || !answersThroughout(instance)) return false
  return routes.some(({ slots }) => {
    const serving = slots.filter(({ weight }) => weight > 0).flatMap(({ backends }) => backends)
    const others = serving.filter(
      (backend) => !isOf(engineId)(backend) && ![...leaving].some((id) => isOf(id)(backend)),
    )
    return serving.some(isOf(engineId)) && others.length === 0
  })
}

function answersThroughout({ metadata, spec }: RoutedSlot): boolean {
  const { run, replicas, update } = spec
  if (metadata.deletionRequestedAt !== undefined || run === 'stopped' || replicas === 0) return false
  return update.type === 'rolling' && update.maxUnavailable < replicas
}

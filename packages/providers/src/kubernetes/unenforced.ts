/** Pure: what is asked for and cannot be held to here, by path. */
import type { Desired } from '../desired.ts'

/** Processes are counted for whole nodes only, and folders of a node not at all. */
export function unenforced({ services }: Pick<Desired, 'services'>): string[] {
  return services.flatMap(({ resources, volumes }, at) => [
    ...(resources.pids === undefined ? [] : [`spec.services[${at}].resources.pids`]),
    ...volumes.flatMap(({ size, type }, number) =>
      size === undefined || type !== 'host' ? [] : [`spec.services[${at}].volumes[${number}].size`],
    ),
  ])
}

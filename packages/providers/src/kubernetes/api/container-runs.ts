/** Pure: whether a container of a pod runs, so that a command can be run in it. */
import { Fault } from '@gantry/core'

type ContainerState = {
  readonly name: string
  readonly state?: {
    readonly running?: object
    readonly waiting?: { readonly reason?: string }
    readonly terminated?: { readonly reason?: string }
  }
}

export type PodState = {
  readonly metadata: { readonly name: string }
  readonly status?: {
    readonly phase?: string
    readonly containerStatuses?: readonly ContainerState[]
    readonly initContainerStatuses?: readonly ContainerState[]
    readonly ephemeralContainerStatuses?: readonly ContainerState[]
  }
}

/** Throws `service_not_running` where it does not. */
export function checkRuns({ metadata, status = {} }: PodState, container: string): void {
  const all = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ]
  const found = all.find(({ name }) => name === container)
  if (found?.state?.running) return
  const why = found?.state?.waiting?.reason ?? found?.state?.terminated?.reason ?? status.phase ?? 'not known'
  throw new Fault('service_not_running', `Container ${container} of pod ${metadata.name} does not run (${why})`)
}

/** What planning answers: objects as values, in the order in which they are to be applied. */
import type { ObjectAt } from '../api/api.ts'
import type { KubeObject } from '../api/types/meta.ts'

/** `object` is all that we say of it, for server-side apply: what is not in it is left to others and to the server. */
export type PlannedObject = ObjectAt & { readonly namespace: string; readonly object: KubeObject }

export type PlannedInstance = {
  readonly namespace: string
  /** Of the Deployment or StatefulSet, of the Service that is the instance's stable address, and of the disruption budget. */
  readonly name: string
  /** The Deployment or StatefulSet; also in `objects`. */
  readonly controller: PlannedObject
  /**
   * Everything of the instance but its claims, in the order of application: what pods are told, then what makes pods, then
   * what is in front of them. Those whose name ends in a hash of their content (`contentOf`) stay until no pod uses them.
   */
  readonly objects: readonly PlannedObject[]
  /**
   * One claim for each persistent volume of each replica, to be applied before the controller: claims that are there are taken
   * up again (their labels say whose they are now), and outlive all the rest.
   */
  readonly claims: readonly PlannedObject[]
}

/** The controller as it is on the cluster: who owns the rest, so that one delete removes all. */
export type Owner = { readonly uid: string }

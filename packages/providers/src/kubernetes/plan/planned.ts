/** What planning answers: objects as values. */
import type { ObjectAt } from '../api/api.ts'
import { apiVersionOf, type resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'

/** `body` is all that we say of it, for server-side apply: what is not in it is left to others and to the server. */
export type PlannedObject<Body extends KubeObject = KubeObject> = {
  readonly at: ObjectAt & { readonly namespace: string }
  readonly body: Body
}

export type InstancePlan = {
  readonly namespace: string
  /** Of the Deployment or StatefulSet, of the Service that is the instance's stable address, and of the budget. */
  readonly name: string
  /** ConfigMaps and Secrets, to be there before pods are made. What is ours, and not in it, goes when no pod has it any more. */
  readonly config: readonly PlannedObject[]
  /**
   * One for each persistent volume of each replica, to be there before pods are made: claims that are there already are taken
   * up again, with labels that say whose they are now. They outlive all the rest, and belong to nobody else.
   */
  readonly claims: readonly PlannedObject[]
  /** The Deployment or StatefulSet. */
  readonly workload: PlannedObject
  /** Services and the budget. What is ours, and not in it, goes. */
  readonly others: readonly PlannedObject[]
}

type Named = { readonly namespace: string; readonly name: string }

export function planned<Body extends KubeObject>(
  resource: (typeof resources)[keyof typeof resources],
  { namespace, name }: Named,
  metadata: Pick<KubeObject['metadata'], 'labels' | 'annotations'>,
  rest: Omit<Body, keyof KubeObject>,
): PlannedObject<Body> {
  const body = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name, namespace, ...metadata },
    ...rest,
  }
  return { at: { resource, namespace, name }, body: body as unknown as Body }
}

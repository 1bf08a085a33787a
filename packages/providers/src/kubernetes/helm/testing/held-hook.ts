/** Lets hooks go that a chart holds back. */
import type { Pass } from '../../../pass.ts'
import { call, type HelmRig } from '../../../testing/helm-rig.ts'
import { testManager } from '../../../testing/kubernetes-rig.ts'
import { resources } from '../../api/resources.ts'

/** Passes as before, but whatever is held goes on, as often as it is made. */
export function letting({ cluster, namespace }: HelmRig, name: string, pass: () => Promise<Pass>): () => Promise<Pass> {
  const at = { resource: resources.job, namespace, name }
  const patch = { type: 'merge', body: { spec: { suspend: false } } } as const
  return async () => {
    // Undefined while there is none.
    await cluster.api.objects.patch(at, patch, { fieldManager: testManager }, call)
    return await pass()
  }
}

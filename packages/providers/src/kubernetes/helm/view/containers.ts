/** Pure: the containers behind an object, for logs and exec. */
import type { KubeObject } from '../../api/types/meta.ts'
import { listAt, textAt } from '../../manifests/fields.ts'
import type { SetContainer } from '../../manifests/manifests.ts'

/** Youngest pod first. */
export function containersIn(pods: readonly KubeObject[]): readonly SetContainer[] {
  const sorted = [...pods].sort((left, right) => createdAt(right) - createdAt(left))
  return sorted.flatMap((pod) => [...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')])
}

const createdAt = ({ metadata }: KubeObject): number => Date.parse(metadata.creationTimestamp ?? '') || 0

function containersOf(pod: KubeObject, field: 'containers' | 'initContainers'): readonly SetContainer[] {
  const { namespace = '', name, uid = '' } = pod.metadata
  const statuses = listAt(pod, 'status', field === 'containers' ? 'containerStatuses' : 'initContainerStatuses')
  return listAt(pod, 'spec', field).flatMap((container, at): readonly SetContainer[] => {
    const called = textAt(container, 'name')
    if (called === undefined) return []
    const status = statuses.find((each) => textAt(each, 'name') === called)
    const running = textAt(status, 'state', 'running', 'startedAt') !== undefined
    const isSidecar = textAt(container, 'restartPolicy') === 'Always'
    const role = field === 'containers' ? (at === 0 ? 'main' : 'sidecar') : isSidecar ? 'sidecar' : 'init'
    return [{ namespace, pod: name, container: called, podUid: uid, running, role }]
  })
}

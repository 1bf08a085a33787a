/** What autoscalers say of those of these pods that no node takes, asked now. */
import type { Call } from '@gantry/core'
import type { KubeObject } from '../api/types/meta.ts'
import { conditionOf } from '../manifests/health/conditions.ts'
import type { RoomOf } from '../manifests/health/pods.ts'
import type { Rooms } from './rooms.ts'
import type { RoomHeard } from './verdict.ts'

export async function roomsIn(rooms: Rooms, pods: readonly KubeObject[], call: Call): Promise<RoomOf> {
  const places = new Set(pods.filter(isUnplaced).map(({ metadata }) => metadata.namespace ?? ''))
  const asked = await Promise.all(
    [...places].map(
      async (place): Promise<[string, (uid: string) => RoomHeard]> => [place, await rooms.ask(place, call)],
    ),
  )
  const answers = new Map(asked)
  return ({ metadata: { namespace = '', uid = '' } }) => answers.get(namespace)?.(uid) ?? {}
}

const isUnplaced = (pod: KubeObject): boolean =>
  pod.kind === 'Pod' && conditionOf(pod, 'PodScheduled')?.status === 'False'

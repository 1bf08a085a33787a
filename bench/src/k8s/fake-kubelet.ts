/** Plays the kubelets of nodes that are nowhere: pods that got a node run at once, and are started anew whenever that is asked. */
import { isFault } from '@gantry/core'
import type { KubernetesApi } from '@gantry/providers/kubernetes'
import { resources } from '@gantry/providers/testing'

type Call = { readonly signal: AbortSignal }

type Pod = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly uid?: string; readonly resourceVersion?: string }
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly { readonly name: string }[] }
  readonly status?: { readonly phase?: string }
}

export type FakePod = {
  readonly uid: string
  /** Resolves with how often its container was a new one, when the cluster has taken it. */
  restart(): Promise<number>
}

export type FakeKubelet = {
  /** Those that run. */
  readonly pods: readonly FakePod[]
  stop(): void
}

export async function playKubelet(api: KubernetesApi, namespace: string, call: Call): Promise<FakeKubelet> {
  const { objects } = api
  const over = new AbortController()
  const within = { signal: AbortSignal.any([over.signal, call.signal]) }
  const of = { resource: resources.pod, namespace }
  const running = new Set<string>()
  const pods: FakePod[] = []

  async function start(pod: Pod): Promise<void> {
    const { uid = '', name } = pod.metadata
    const [container] = pod.spec?.containers ?? []
    if (!pod.spec?.nodeName || !container || running.has(uid)) return
    const address = `10.254.${running.size >> 8}.${running.size & 255}`
    const say = async (status: object): Promise<void> => {
      const patch = { type: 'merge', body: { status } } as const
      await objects.patch({ ...of, name }, patch, { fieldManager: 'kubelet', subresource: 'status' }, within)
    }
    running.add(uid)
    await say({ ...placeOf(address), containerStatuses: [containerOf(container.name, uid, 0)] })
    let restarts = 0
    let before: Promise<void> = Promise.resolve()
    pods.push({
      uid,
      async restart() {
        restarts += 1
        const count = restarts
        // One after the other: of two at once the cluster may take the older one last, and nobody would ever hear of the other.
        before = before.then(() => say({ containerStatuses: [containerOf(container.name, uid, count)] }))
        await before
        return count
      },
    })
  }

  const { items, metadata } = await objects.list<Pod>(of, {}, within)
  await Promise.all(items.map(start))
  let version = metadata.resourceVersion
  const follow = async (): Promise<never> => {
    for (;;) {
      for await (const event of await objects.watch<Pod>(of, { resourceVersion: version }, within)) {
        version = event.type === 'bookmark' ? event.resourceVersion : (event.object.metadata.resourceVersion ?? '')
        // What it does not get to is missed by whoever waits for all of them.
        if (event.type !== 'bookmark' && event.type !== 'deleted') start(event.object).catch(unlessOver)
      }
    }
  }
  const unlessOver = (error: unknown): void => {
    if (!within.signal.aborted) process.stderr.write(`the fake kubelet: ${isFault(error) ? error.message : error}\n`)
  }
  follow().catch(unlessOver)
  return {
    pods,
    stop: () => over.abort(),
  }
}

function placeOf(address: string) {
  const time = new Date().toISOString()
  const yes = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: time })
  return {
    phase: 'Running',
    hostIP: '10.255.0.1',
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: time,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(yes),
  }
}

const containerOf = (name: string, uid: string, restarts: number) => ({
  name,
  image: 'nothing:1',
  imageID: '',
  containerID: `fake://${uid}-${restarts}`,
  ready: true,
  started: true,
  restartCount: restarts,
  state: { running: { startedAt: new Date().toISOString() } },
})

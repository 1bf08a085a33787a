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
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** How often its container was a new one. */
  readonly restarts: number
  restart(): Promise<void>
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
    let restarts = 0
    const say = async (): Promise<void> => {
      const patch = { type: 'merge', body: { status: statusOf(container.name, uid, address, restarts) } } as const
      await objects.patch({ ...of, name }, patch, { fieldManager: 'kubelet', subresource: 'status' }, within)
    }
    running.add(uid)
    pods.push({
      namespace,
      name,
      uid,
      get restarts() {
        return restarts
      },
      async restart() {
        restarts += 1
        await say()
      },
    })
    await say()
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

function statusOf(name: string, uid: string, address: string, restarts: number) {
  const time = new Date().toISOString()
  const yes = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: time })
  return {
    phase: 'Running',
    hostIP: '10.255.0.1',
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: time,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(yes),
    containerStatuses: [
      {
        name,
        image: 'nothing:1',
        imageID: '',
        containerID: `fake://${uid}-${restarts}`,
        ready: true,
        started: true,
        restartCount: restarts,
        state: { running: { startedAt: time } },
      },
    ],
  }
}

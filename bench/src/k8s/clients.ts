/** The two clients that are compared, told to do the same things to the same cluster. */

import type { KubernetesApi } from '@gantry/providers/kubernetes'
import { CoreV1Api, KubeConfig, Watch } from '@kubernetes/client-node'

type Call = { readonly signal: AbortSignal }

/** As much of a ConfigMap as is written here. */
export type Written = {
  readonly apiVersion: 'v1'
  readonly kind: 'ConfigMap'
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly data: Readonly<Record<string, string>>
}

export interface Client {
  read(name: string): Promise<unknown>
  list(): Promise<readonly unknown[]>
  create(object: Written): Promise<void>
  /** Tells the name of each that is new. Resolves when it is listening. */
  watch(tell: (name: string) => void): Promise<{ stop(): void }>
  /** Resolves when it was told of so many that are new since that version; they are all there already. */
  catchUp(since: string, count: number): Promise<void>
}

export const resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }

export function ourClient({ objects }: KubernetesApi, namespace: string, call: Call): Client {
  const of = { resource, namespace }
  return {
    read: (name) => objects.get({ ...of, name }, call),
    list: async () => (await objects.list(of, {}, call)).items,
    create: async (object) => void (await objects.create(of, object, { fieldManager: 'bench' }, call)),
    async watch(tell) {
      const { metadata } = await objects.list(of, {}, call)
      const own = new AbortController()
      const events = await objects.watch(of, metadata, own)
      const reading = (async () => {
        for await (const event of events) if (event.type === 'added') tell(event.object.metadata.name)
      })()
      reading.catch(() => undefined)
      return { stop: () => own.abort() }
    },
    async catchUp(since, count) {
      let heard = 0
      for await (const event of await objects.watch(of, { resourceVersion: since }, call)) {
        if (event.type === 'added') heard += 1
        if (heard === count) return
      }
      throw new Error(`A watch has ended after ${heard} of ${count}`)
    },
  }
}

export function peerClient(kubeconfig: string, namespace: string): Client {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  return {
    read: (name) => core.readNamespacedConfigMap({ name, namespace }),
    list: async () => (await core.listNamespacedConfigMap({ namespace })).items,
    create: async (body) => void (await core.createNamespacedConfigMap({ namespace, body, fieldManager: 'bench' })),
    async watch(tell) {
      const { metadata } = await core.listNamespacedConfigMap({ namespace })
      return await follow(metadata?.resourceVersion ?? '', tell)
    },
    async catchUp(since, count) {
      let heard = 0
      let stop = (): void => undefined
      await new Promise<void>((resolve, reject) => {
        const tell = (): void => {
          heard += 1
          if (heard === count) resolve()
        }
        follow(since, tell).then((following) => {
          stop = following.stop
        }, reject)
      })
      stop()
    },
  }

  async function follow(resourceVersion: string, tell: (name: string) => void): Promise<{ stop(): void }> {
    const controller = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion, allowWatchBookmarks: true },
      (type, object: Written) => {
        if (type === 'ADDED') tell(object.metadata.name)
      },
      () => undefined,
    )
    return { stop: () => controller.abort() }
  }
}

/**
 * What the pods of a namespace use, asked for once for all who want to know of some of them within a few seconds: with a
 * question for each of a thousand instances, a cluster would do little else.
 */
import { type Call, type Clock, orAbort } from '@gantry/core'
import { label } from '../../labels.ts'
import type { KubernetesApi } from '../api/api.ts'
import type { PodMetrics } from './usage.ts'

export type PodFiguresParts = {
  readonly api: Pick<KubernetesApi, 'raw'>
  readonly clock: Clock
  readonly installation: string
  readonly life: Call
}

/** How long an answer is good, also one that there is none: others are made every fifteen seconds. */
const goodMs = 5_000

type Asked = { readonly at: number; readonly answer: Promise<ReadonlyMap<string, PodMetrics>> }

const path = (namespace: string): string => `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`

export class PodFigures {
  readonly #parts: PodFiguresParts
  /** By namespace. */
  readonly #asked = new Map<string, Asked>()

  constructor(parts: PodFiguresParts) {
    this.#parts = parts
  }

  /** Of those of these pods that the cluster has figures of. Rejects as the one question has, whoever asked it. */
  async of(namespace: string, pods: readonly { readonly name: string }[], call: Call): Promise<readonly PodMetrics[]> {
    call.signal.throwIfAborted()
    const known = await orAbort(this.#ask(namespace), call)
    return pods.flatMap(({ name }) => known.get(name) ?? [])
  }

  #ask(namespace: string): Promise<ReadonlyMap<string, PodMetrics>> {
    const now = this.#parts.clock.monotonic()
    for (const [name, { at }] of this.#asked) if (now - at >= goodMs) this.#asked.delete(name)
    const known = this.#asked.get(namespace)
    if (known) return known.answer
    const answer = this.#list(namespace)
    // Told to whoever waits for it.
    answer.catch(() => undefined)
    this.#asked.set(namespace, { at: now, answer })
    return answer
  }

  async #list(namespace: string): Promise<ReadonlyMap<string, PodMetrics>> {
    const { api, installation, life } = this.#parts
    const selector = encodeURIComponent(`${label.installation}=${installation}`)
    const list = await api.raw<{ items?: readonly PodMetrics[] }>(`${path(namespace)}?labelSelector=${selector}`, life)
    return new Map((list?.items ?? []).map((each) => [each.metadata.name, each]))
  }
}

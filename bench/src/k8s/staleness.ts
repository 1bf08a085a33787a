/** How late the API tells what has happened on the cluster: restarts of pods, so many a second, each waited for. */
import { orAbort, sleep, systemClock, withDeadline } from '@gantry/core'
import type { System } from '@gantry/server/testing'
import type { FakeKubelet } from './fake-kubelet.ts'

type Call = { readonly signal: AbortSignal }

export type Listening = {
  /** Patches statuses for so long, and answers how late each was told, in milliseconds, sorted. */
  patchFor(ms: number, perSecond: number): Promise<readonly number[]>
  stop(): void
}

/** How long the last ones are waited for. */
const patienceMs = 15_000

type Waiting = { readonly restarts: number; readonly told: (at: number) => void }

export async function listen(system: System, kubelet: FakeKubelet, call: Call): Promise<Listening> {
  const over = new AbortController()
  const { instances } = system.client.tenant('default')
  /** By uid of the pod. */
  const waiting = new Map<string, Waiting[]>()
  let since = 0
  for await (const page of instances.list(call).pages()) since = page.resourceVersion
  const signal = AbortSignal.any([over.signal, call.signal])
  const following = (async (): Promise<never> => {
    for await (const change of instances.watch({ since, signal })) {
      if (change.type !== 'put') continue
      const at = performance.now()
      for (const { engineId, services } of change.object.status.replicas ?? []) {
        const uid = engineId.slice(engineId.lastIndexOf('/') + 1)
        const told = Math.max(...Object.values(services).map(({ restarts }) => restarts))
        const open = waiting.get(uid) ?? []
        for (const each of open) if (each.restarts <= told) each.told(at)
        const left = open.filter(({ restarts }) => restarts > told)
        if (left.length === 0) waiting.delete(uid)
        else waiting.set(uid, left)
      }
    }
    throw new Error('the watch has ended')
  })()
  following.catch(() => undefined)
  let next = 0

  async function one(): Promise<number> {
    const { pods } = kubelet
    const pod = pods[next++ % pods.length]
    if (!pod) throw new Error('there is no pod')
    const counted = pod.restarts + 1
    const told = new Promise<number>((resolve) => {
      waiting.set(pod.uid, [...(waiting.get(pod.uid) ?? []), { restarts: counted, told: resolve }])
    })
    await pod.restart()
    const answered = performance.now()
    // It may be told before the answer to the patch is here.
    return Math.max(0, (await told) - answered)
  }

  return {
    async patchFor(ms, perSecond) {
      const begun = performance.now()
      const asked: Promise<number>[] = []
      for (let at = 0; at < (ms / 1000) * perSecond; at += 1) {
        const due = begun + (at * 1000) / perSecond
        const early = due - performance.now()
        if (early > 1) await sleep(systemClock, early, call)
        const staleness = one()
        staleness.catch(() => undefined)
        asked.push(staleness)
      }
      const took = performance.now() - begun
      if (took > ms * 1.2) throw new Error(`${asked.length} patches took ${took} ms: too few a second for the figure`)
      const late = withDeadline(systemClock, patienceMs, 'Hearing of every restart', call)
      try {
        const figures = await orAbort(Promise.race([Promise.all(asked), following]), late)
        return figures.sort((left, right) => left - right)
      } catch (error) {
        throw late.passed() ? new Error(`${waiting.size} pods were not told of within ${patienceMs} ms`) : error
      } finally {
        late.clear()
      }
    },
    stop: () => over.abort(),
  }
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

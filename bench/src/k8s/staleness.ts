/**
 * How late the API of a server tells what has happened on the cluster: from the cluster's answer to a status, in the process
 * that wrote it, until a watch of instances has it, here. Both read the clock of the machine.
 */
import { orAbort, systemClock, withDeadline } from '@gantry/core'
import type { System } from '@gantry/server/testing'
import { type Restarted, sharedMicros } from './fake-kubelet-words.ts'

type Call = { readonly signal: AbortSignal }

export type Listening = {
  /** How late each of these was told, in milliseconds, sorted. Waits until all were. */
  latenessOf(restarted: readonly Restarted[]): Promise<readonly number[]>
  stop(): void
}

/** How long the last ones are waited for: a server that is far behind has a figure too, and it is to be seen. */
const patienceMs = 60_000

type Told = { readonly restarts: number; readonly at: number }

export async function listen(system: System, call: Call): Promise<Listening> {
  const over = new AbortController()
  const { instances } = system.client.tenant('default')
  /** By uid of the pod, in the order in which they came. */
  const told = new Map<string, Told[]>()
  let heard = (): void => undefined
  let since = 0
  for await (const page of instances.list(call).pages()) since = page.resourceVersion
  const signal = AbortSignal.any([over.signal, call.signal])
  const following = (async (): Promise<never> => {
    for await (const change of instances.watch({ since, signal })) {
      if (change.type !== 'put') continue
      const at = sharedMicros()
      for (const { engineId, services } of change.object.status.replicas ?? []) {
        const uid = engineId.slice(engineId.lastIndexOf('/') + 1)
        const restarts = Math.max(...Object.values(services).map((each) => each.restarts))
        const known = told.get(uid) ?? []
        if (known.length === 0) told.set(uid, known)
        if ((known.at(-1)?.restarts ?? -1) < restarts) known.push({ restarts, at })
      }
      heard()
    }
    throw new Error('the watch has ended')
  })()
  following.catch(() => undefined)

  /** One that was overtaken by the next is told with it. */
  const toldAt = ({ uid, restarts }: Restarted): number | undefined =>
    told.get(uid)?.find((each) => each.restarts >= restarts)?.at

  return {
    async latenessOf(restarted) {
      const late = withDeadline(systemClock, patienceMs, 'Hearing of every restart', call)
      try {
        const left = new Set(restarted)
        const all = new Promise<void>((resolve) => {
          heard = () => {
            for (const each of left) if (toldAt(each) !== undefined) left.delete(each)
            if (left.size === 0) resolve()
          }
          heard()
        })
        await orAbort(Promise.race([all, following]), late)
      } catch (error) {
        const missing = restarted.filter((each) => toldAt(each) === undefined).length
        throw late.passed() ? new Error(`${missing} restarts were not told within ${patienceMs} ms`) : error
      } finally {
        heard = () => undefined
        late.clear()
      }
      // It may be told before the answer to the patch is there.
      const lateness = restarted.map((each) => Math.max(0, ((toldAt(each) ?? Number.NaN) - each.at) / 1000))
      for (const [uid, known] of told) told.set(uid, known.slice(-1))
      return lateness.sort((left, right) => left - right)
    },
    stop: () => over.abort(),
  }
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

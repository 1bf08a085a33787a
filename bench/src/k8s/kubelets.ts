/** The process that plays the kubelets, and what it is asked for. */
import { startChild } from '../watch/child.ts'
import type { Patch, Restarted, Said } from './fake-kubelet-words.ts'

type Call = { readonly signal: AbortSignal }

export type Kubelets = {
  /** Restarts pods in turn, and answers when the cluster had taken each. Throws where it could not be as many a second. */
  patch(wish: Patch, call: Call): Promise<readonly Restarted[]>
  stop(): Promise<void>
}

/** What it may be late by before it is another load than the one that was asked for. */
const mostLate = 1.2

export async function startKubelets(kubeconfig: string, namespace: string, call: Call): Promise<Kubelets> {
  const program = new URL('./fake-kubelet-main.js', import.meta.url)
  const child = startChild<Patch, Said>(program, [kubeconfig, namespace])
  await child.next('ready', call)
  return {
    async patch(wish, within) {
      child.send(wish)
      const { restarted, tookMs } = await child.next('patched', within)
      if (tookMs <= wish.forMs * mostLate) return restarted
      throw new Error(`${restarted.length} patches took ${Math.round(tookMs)} ms: too few a second for the figure`)
    },
    stop: () => child.end(),
  }
}

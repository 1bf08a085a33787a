/** The process that plays the kubelets, and what it is asked for. */
import { startChild } from '../watch/child.ts'
import type { Patch, Patched, Said } from './fake-kubelet-words.ts'

type Call = { readonly signal: AbortSignal }

export type Kubelets = {
  /** Restarts pods in turn, and answers when the cluster had taken each. */
  patch(wish: Patch, call: Call): Promise<Patched>
  stop(): Promise<void>
}

export async function startKubelets(kubeconfig: string, namespace: string, call: Call): Promise<Kubelets> {
  const program = new URL('./fake-kubelet-main.js', import.meta.url)
  const child = startChild<Patch, Said>(program, [kubeconfig, namespace])
  await child.next('ready', call)
  return {
    async patch(wish, within) {
      child.send(wish)
      return await child.next('patched', within)
    },
    stop: () => child.end(),
  }
}

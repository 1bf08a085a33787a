/** The kubelets of nodes that are nowhere, as a process of their own: what they take is not taken from whoever is measured. */
import { sleep, systemClock } from '@gantry/core'
import { kubernetesLook } from '@gantry/providers/testing'
import { type FakeKubelet, playKubelet } from './fake-kubelet.ts'
import { type Patch, type Restarted, type Said, sharedMicros } from './fake-kubelet-words.ts'
import { openFakeNodes } from './fake-nodes.ts'

const [kubeconfig = '', namespace = '', nodes = '10'] = process.argv.slice(2)
const over = new AbortController()
const say = (said: Said): void => void process.send?.(said)
let next = 0

async function patch({ pods }: FakeKubelet, { forMs, perSecond }: Patch): Promise<void> {
  const begun = performance.now()
  const asked: Promise<Restarted>[] = []
  for (let at = 0; at < (forMs / 1000) * perSecond; at += 1) {
    const early = begun + (at * 1000) / perSecond - performance.now()
    if (early > 1) await sleep(systemClock, early, over)
    const pod = pods[next++ % pods.length]
    if (!pod) throw new Error('there is no pod')
    const restarted = pod.restart().then((restarts) => ({ uid: pod.uid, restarts, at: sharedMicros() }))
    restarted.catch(() => undefined)
    asked.push(restarted)
  }
  const tookMs = performance.now() - begun
  say({ type: 'patched', restarted: await Promise.all(asked), tookMs })
}

async function main(): Promise<void> {
  const { api } = await kubernetesLook({ kubeconfig }, over)
  await openFakeNodes(api, Number(nodes), over)
  const kubelet = await playKubelet(api, namespace, over)
  process.on('message', (wish: Patch) => {
    patch(kubelet, wish).catch(fail)
  })
  say({ type: 'ready' })
}

/** Whoever waits for its word is told that it has ended. */
function fail(error: unknown): void {
  process.stderr.write(`the fake kubelets: ${error}\n`)
  process.exit(1)
}

// Nobody is left who could ask for anything.
process.once('disconnect', () => process.exit())
main().catch(fail)

/** Our client for Kubernetes against the one that everybody has, on the same cluster in the same run. */
import { createHash } from 'node:crypto'
import { startPrivate } from '@gantry/engines'
import { connectKubernetes, resolveCluster } from '@gantry/providers/kubernetes'
import type { Bench } from './bench.ts'
import { type Client, ourClient, peerClient, type Written } from './k8s/clients.ts'
import { checkNothingLost } from './k8s/nothing-lost.ts'
import { seenAgain } from './k8s/seen-again.ts'
import { contest } from './rounds.ts'

const many = 1_000
const reads = 60
const lists = 5
const changes = 30
const peerName = '@kubernetes/client-node'
const namespace = 'default'

export const k8sClient: Bench = {
  name: 'k8s-client',
  about:
    `Our client against ${peerName} 1.4.0: one object read, a change until it is heard of in a watch of the same client ` +
    `(the median of ${changes}), and a list of ${many} ConfigMaps. What ours answers is compared with the server's own bytes.`,
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const cluster = await startPrivate('kubernetes', context)
    const { address } = cluster
    try {
      // Both sign in by the same certificate, and get JSON.
      const config = await resolveCluster({ kubeconfig: address.kubeconfig, context: 'admin' }, { env: {} }, context)
      const api = await connectKubernetes(config, context)
      const ours = ourClient(api, namespace, context)
      const theirs = peerClient(address.kubeconfig, namespace)
      context.say(`${many} objects are made`)
      for (let at = 0; at < many; at += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, more) => ours.create(written(`many-${at + more}`))))
      }
      const path = `/api/v1/namespaces/${namespace}/configmaps`
      await checkNothingLost(address, `${path}/many-7`, await ours.read('many-7'))
      await checkNothingLost(address, path, await ours.list(), { apiVersion: 'v1', kind: 'ConfigMap' })
      const row = (title: string, reach: number, measure: (client: Client) => Promise<number>) =>
        contest(context, {
          case: title,
          better: 'lower',
          ours: () => measure(ours),
          peer: { name: peerName, run: () => measure(theirs) },
          reach,
        })
      const rows = [
        await row('one object read', 0.3, (client) => timed(reads, () => client.read('many-7'))),
        await row(`a list of ${many}`, 0.6, (client) => timed(lists, () => listed(client))),
        await row('a change, until it is heard of', 0.3, (client) => seenAgain(client, changes, fresh)),
      ]
      api.close()
      return rows
    } finally {
      await cluster.stop({ signal: AbortSignal.timeout(60_000) })
    }
  },
}

let made = 0
const fresh = (): Written => {
  made += 1
  return written(`fresh-${made}`)
}

function written(name: string): Written {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/managed-by': 'bench' }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
    data: { 'a.conf': text(name), 'b.conf': text(`${name}-b`) },
  }
}

/** Lines as in any configuration: half of it is the same everywhere, and half is nowhere else. */
function text(seed: string): string {
  const value = (at: number): string => createHash('sha256').update(`${seed} ${at}`).digest('hex').slice(0, 20)
  return Array.from({ length: 12 }, (_, at) => `service.setting.number-${at} = ${value(at)}\n`).join('')
}

async function listed(client: Client): Promise<void> {
  const { length } = await client.list()
  if (length < many) throw new Error(`Of ${many} objects, ${length} were listed`)
}

/** Milliseconds for each of so many, one after the other. */
async function timed(count: number, work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  for (let at = 0; at < count; at += 1) await work()
  return (performance.now() - from) / count
}

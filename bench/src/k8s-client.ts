/**
 * Our client for Kubernetes against the one that everybody has, on the same cluster in the same run.
 *
 * How soon a change is heard of is taken as a controller has it: it writes, and its own watch tells it. That is what the
 * client takes to write, what the API server and etcd take, and what the client takes to hear; what the servers take is the
 * same for both, and in both figures. The peer opens a connection for every question, which is most of the difference.
 * Prepared bytes over two bare TLS connections took 2.0 ms (1.8 to 2.4) where ours took 2.2 and the peer 6.8 (two cores, the
 * cluster on them too): the servers alone are 0.3 of the peer there, and what our client adds is a twentieth of what the peer does.
 * What is left without the writing is told apart, as CPU of this process for one event of many that are there already:
 * there both do little else than read JSON, so that one can be no dearer than the other, but not much cheaper either.
 */
import { createHash } from 'node:crypto'
import { startPrivate } from '@gantry/engines'
import { connectKubernetes, resolveCluster } from '@gantry/providers/kubernetes'
import type { Bench } from './bench.ts'
import { type Client, ourClient, peerClient, resource, type Written } from './k8s/clients.ts'
import { endParts } from './k8s/end-parts.ts'
import { checkNothingLost } from './k8s/nothing-lost.ts'
import { seenAgain } from './k8s/seen-again.ts'
import { contest } from './rounds.ts'

const many = 1_000
const reads = 60
const lists = 5
const changes = 30
/** The same, but for what a machine makes of it. */
const noDearer = 1.2
const peerName = '@kubernetes/client-node'
const namespace = 'default'

export const k8sClient: Bench = {
  name: 'k8s-client',
  about:
    `Our client against ${peerName} 1.4.0: one object read, a list of ${many} ConfigMaps, a change that a client writes ` +
    `until its own watch tells of it (the median of ${changes}; what the servers take is in both figures), and the CPU of ` +
    `one event of ${many} that a watch begins with. What ours answers is compared with the server's own bytes.`,
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const cluster = await startPrivate('kubernetes', context)
    const { address } = cluster
    try {
      // Both sign in by the same certificate, and get JSON.
      await endParts(address, ['proxy', 'kubelet', 'metricsServer', 'controllerManager', 'scheduler'])
      const config = await resolveCluster({ kubeconfig: address.kubeconfig, context: 'admin' }, { env: {} }, context)
      const api = await connectKubernetes(config, context)
      const ours = ourClient(api, namespace, context)
      const theirs = peerClient(address.kubeconfig, namespace)
      context.say(`${many} objects are made`)
      const { metadata: before } = await api.objects.list({ resource, namespace }, {}, context)
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
        await row(`CPU of an event, of ${many} at once`, noDearer, (client) =>
          cpuOfEach(client, before.resourceVersion),
        ),
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

async function cpuOfEach(client: Client, since: string): Promise<number> {
  const from = process.cpuUsage()
  for (let at = 0; at < lists; at += 1) await client.catchUp(since, many)
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000 / (many * lists)
}

/** Milliseconds for each of so many, one after the other. */
async function timed(count: number, work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  for (let at = 0; at < count; at += 1) await work()
  return (performance.now() - from) / count
}

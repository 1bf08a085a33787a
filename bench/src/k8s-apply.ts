/** How long a set of 200 objects takes to be applied: new, unchanged, and with one that changed, against kubectl. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sleep, systemClock } from '@gantry/core'
import { kubernetesTools, startPrivate } from '@gantry/engines'
import {
  confined,
  connectKubernetes,
  type DesiredSet,
  type KubernetesApi,
  manifestSets,
  resolveCluster,
} from '@gantry/providers/kubernetes'
import type { Bench } from './bench.ts'
import { contest } from './rounds.ts'

type Call = { readonly signal: AbortSignal }

const many = 200
const peerName = 'kubectl apply --server-side -f'
const installation = 'bench'
const run = promisify(execFile)

export const k8sApply: Bench = {
  name: 'k8s-apply',
  about:
    `A set of ${many} ConfigMaps applied by us, until it was seen to be there, against \`${peerName}\` of the same text on the ` +
    'same cluster: new, unchanged, and with one of them changed. Ours is asked as a server asks it, which runs already; the ' +
    'peer is a program that is started each time. Nothing is left out of ours: the record is written, and what is there is listed.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const cluster = await startPrivate('kubernetes', context)
    const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
    try {
      const { kubeconfig } = cluster.address
      const config = await resolveCluster({ kubeconfig, context: 'admin' }, { env: {} }, context)
      const api = await connectKubernetes(config, context)
      const ours = ourSide(api, context)
      const { kubectl } = await kubernetesTools(context)
      const theirs = kubectlSide({ kubectl, kubeconfig, folder }, context)
      const row = (title: string, turn: (side: Side, round: number) => Promise<number>) =>
        contest(context, {
          case: title,
          better: 'lower',
          ours: (round) => turn(ours, round),
          peer: { name: peerName, run: (round) => turn(theirs, round) },
          reach: 0.5,
        })
      const fresh = async (side: Side, round: number): Promise<number> => {
        const namespace = await newNamespace(api, `${side.name}-new-${round + 1}`, context)
        return await side.apply(namespace, setOf('1'))
      }
      const rows = [await row(`${many} new`, fresh)]
      const kept: Record<string, string> = {}
      for (const side of [ours, theirs]) {
        const namespace = await newNamespace(api, `${side.name}-kept`, context)
        kept[side.name] = namespace
        await side.apply(namespace, setOf('1'))
      }
      const again = (value: (round: number) => string) => (side: Side, round: number) =>
        side.apply(kept[side.name] ?? '', setOf(value(round)))
      rows.push(
        await row(
          `${many} unchanged`,
          again(() => '1'),
        ),
      )
      rows.push(
        await row(
          `1 of ${many} changed`,
          again((round) => `round ${round}`),
        ),
      )
      await ours.close()
      api.close()
      return rows
    } finally {
      await rm(folder, { recursive: true, force: true })
      await cluster.stop({ signal: AbortSignal.timeout(60_000) })
    }
  },
}

type Side = {
  readonly name: string
  /** Milliseconds until all is there. */
  apply(namespace: string, text: string): Promise<number>
  close(): Promise<void>
}

/** One of them has another value. */
function setOf(value: string): string {
  const objects = Array.from({ length: many }, (_, at) =>
    [
      'apiVersion: v1',
      'kind: ConfigMap',
      `metadata: {name: settings-${at}, labels: {app.kubernetes.io/name: bench}}`,
      'data:',
      `  a.conf: "${at === 7 ? value : 'one'}"`,
      `  b.conf: "${'x'.repeat(200)}"`,
      '',
    ].join('\n'),
  )
  return objects.join('---\n')
}

async function newNamespace(api: KubernetesApi, name: string, call: Call): Promise<string> {
  const resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  await api.objects.create({ resource }, object, { fieldManager: 'bench' }, call)
  return name
}

function ourSide(api: KubernetesApi, call: Call): Side {
  const options = { api, clock: systemClock, installation, allow: confined }
  // A tenant of its own for each namespace.
  const sets = manifestSets({ ...options, namespaceOf: (tenant) => tenant })
  let releases = 0
  return {
    name: 'ours',
    async apply(namespace, text) {
      releases += 1
      const desired = desiredSet(namespace, text, `r${releases}`)
      const from = performance.now()
      for (;;) {
        const pass = await sets.converge(desired, call)
        if (pass.state === 'done') return performance.now() - from
        await sleep(systemClock, pass.afterMs, call)
      }
    },
    close: () => sets.close(),
  }
}

function desiredSet(tenant: string, text: string, release: string): DesiredSet {
  return {
    ref: { tenant, workload: 'settings', uid: tenant, slot: 'a' },
    installation,
    labels: {},
    type: 'deployment',
    run: 'running',
    replicas: 1,
    release: text.includes('round') ? release : 'r1',
    specHash: text.includes('round') ? release : 'r1',
    services: [],
    restart: { policy: 'always', maxPerHour: 20 },
    update: { type: 'rolling', maxSurge: 1, maxUnavailable: 0, minReadySeconds: 0 },
    stopGraceSeconds: 10,
    expose: 'none',
    engine: {},
    source: { type: 'manifests', text },
  }
}

function kubectlSide(
  { kubectl, kubeconfig, folder }: { readonly kubectl: string; readonly kubeconfig: string; readonly folder: string },
  { signal }: Call,
): Side {
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: kubeconfig }
  return {
    name: 'theirs',
    async apply(namespace, text) {
      const file = join(folder, 'set.yaml')
      await writeFile(file, text)
      const from = performance.now()
      await run(kubectl, ['-n', namespace, 'apply', '--server-side', '-f', file], { env, signal })
      return performance.now() - from
    },
    close: async () => undefined,
  }
}

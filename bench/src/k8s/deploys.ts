/** Both sides of a deploy on Kubernetes: three replicas that get another image. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildImage, engine, pushImage } from '@gantry/engines'
import { resources } from '@gantry/providers/testing'
import { argv, environmentOf, stopGraceSeconds } from '../docker/web.ts'
import { namespacePrefix, provider, type Stage } from './stage.ts'
import { type Made, twinOf } from './twin.ts'

type Call = { readonly signal: AbortSignal }

/** Milliseconds, both from the beginning. */
export type Deployed = {
  /** All replicas are of the new image and available, and none of the old one is counted any more. */
  readonly available: number
  /** The old ones, which go on answering for a while, have ended. */
  readonly over: number
}

type Asked = { readonly generation: number; readonly resourceVersion: number }

export type Deploys = { deploy(image: string): Promise<Deployed> }

export const replicas = 3
const name = 'shop'
const port = 8080
const tenant = 'default'
const namespace = `${namespacePrefix}-${tenant}`
const twinNamespace = 'twin'

/** Two names of the same content, so that only the name changes. Each is pulled by the first that runs it. */
export async function twoImages({ address }: Stage, call: Call): Promise<readonly [string, string]> {
  const registry = await engine('registry', call)
  if (registry.state === 'missing') throw new Error(`there is no registry to pull from: ${registry.why}`)
  const image = buildImage(await readFile(address.layer), {})
  const names = ['1', '2'].map((tag) => `${registry.address.host}/bench/${name}:${tag}`)
  for (const reference of names) await pushImage(image, reference, call)
  const [first = '', second = ''] = names
  return [first, second]
}

export async function openOurs({ system }: Stage, image: string, call: Call): Promise<Deploys> {
  const { workloads, instances } = system.client.tenant(tenant)

  /** The two moments, as whoever watches the API is told them. */
  async function settles(release: number, asked: Asked, from: number): Promise<Deployed> {
    const left = new AbortController()
    const within = { since: asked.resourceVersion - 1, signal: AbortSignal.any([left.signal, call.signal]) }
    const available = (async () => {
      for await (const change of instances.watch(within)) {
        if (change.type !== 'put' || change.object.spec.workload !== name) continue
        const staying = (change.object.status.replicas ?? []).filter(({ terminating }) => !terminating)
        const isNew = (each: { release: string; ready?: boolean | undefined }) =>
          each.release === `v${release}` && each.ready === true
        if (staying.length === replicas && staying.every(isNew)) return performance.now() - from
      }
      throw new Error('the watch has ended')
    })()
    const over = (async () => {
      for await (const change of workloads.watch(within)) {
        if (change.type !== 'put' || change.object.metadata.name !== name) continue
        const { conditions, readyReplicas, release: current, observedGeneration = 0 } = change.object.status
        const is = (type: string) => conditions?.find((condition) => condition.type === type)?.status
        if (observedGeneration < asked.generation || current !== release || readyReplicas !== replicas) continue
        if (is('Ready') === 'True' && is('Progressing') === 'False') return performance.now() - from
      }
      throw new Error('the watch has ended')
    })()
    try {
      const [first, last] = await Promise.all([available, over])
      return { available: first, over: last }
    } finally {
      left.abort()
    }
  }

  const from = performance.now()
  const { metadata } = await workloads.put(workload(image), call)
  // What was there before is a release again, and no new one.
  const releases = [image]
  await settles(1, metadata, from)
  return {
    async deploy(next) {
      if (!releases.includes(next)) releases.push(next)
      const release = releases.indexOf(next) + 1
      const begun = performance.now()
      const { metadata: asked } = await workloads.deploy(name, { services: [{ name: 'web', image: next }] }, call)
      return await settles(release, asked, begun)
    },
  }
}

/** The very objects that we have made, under other marks and in another namespace. */
export async function openKubectl({ api, kubectl, system }: Stage, call: Call): Promise<Deploys> {
  const parts = [resources.deployment, resources.service, resources.disruptionBudget]
  const lists = await Promise.all(
    parts.map(async (resource) => {
      const { items } = await api.objects.list<Made>({ resource, namespace }, {}, call)
      return items
    }),
  )
  const twins = lists.flat().map((made) => twinOf(made, twinNamespace))
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: twinNamespace } }
  const file = join(system.dataDir, '..', 'twins.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [home, ...twins] }))
  await kubectl('apply', '--server-side', '-f', file)
  const deployment = lists.flat().find(({ kind }) => kind === 'Deployment')
  if (!deployment) throw new Error('there is no Deployment of ours')
  const target = `deployment/${deployment.metadata.name}`
  const own = ['-n', twinNamespace]
  await kubectl(...own, 'rollout', 'status', target)
  return {
    async deploy(image) {
      const { items } = await api.objects.list({ resource: resources.pod, namespace: twinNamespace }, {}, call)
      const old = items.map(({ metadata }) => `pod/${metadata.name}`)
      const set = await kubectl(...own, 'set', 'image', target, `web=${image}`)
      const available = set + (await kubectl(...own, 'rollout', 'status', target))
      const gone = await kubectl(...own, 'wait', '--for=delete', ...old, '--timeout=120s')
      return { available, over: available + gone }
    },
  }
}

function workload(image: string) {
  return {
    apiVersion: 'gantry/v1' as const,
    kind: 'Workload' as const,
    metadata: { name },
    spec: {
      provider,
      replicas,
      stopGraceSeconds,
      services: [
        {
          name: 'web',
          image,
          command: [...argv],
          env: environmentOf(port, 'hello'),
          ports: [{ name: 'http', port }],
          healthCheck: { http: { port: 'http', path: '/' } },
        },
      ],
      strategy: { minReadySeconds: 0 },
    },
  }
}

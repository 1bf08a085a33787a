/** Releases on the rig's cluster, and the real helm and kubectl beside them, as a person would use them. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Call, sleep, systemClock, withDeadline } from '@gantry/core'
import { kubernetesTools } from '@gantry/engines'
import { contentHash } from '../content-hash.ts'
import { writeKubeconfig } from '../kubernetes/config/write-kubeconfig.ts'
import type { DesiredChart, HelmOptions, HelmReleases } from '../kubernetes/helm/helm.ts'
import { helmReleases } from '../kubernetes/helm/index.ts'
import { type ChartFiles, packChart } from '../kubernetes/helm/testing/charts.ts'
import { confined } from '../kubernetes/manifests/manifests.ts'
import { label } from '../labels.ts'
import type { Observed } from '../observed.ts'
import type { Pass } from '../pass.ts'
import type { Ref } from '../ref.ts'
import type { HelmSource } from '../source.ts'
import { type KubernetesRig, kubernetesRig } from './kubernetes-rig.ts'

export const call: Call = { signal: new AbortController().signal }
const run = promisify(execFile)

export type ChartInput = Partial<Omit<HelmSource, 'type'>> & {
  readonly release?: string
  readonly run?: 'running' | 'stopped'
  readonly specHash?: string
}

export type HelmRig = {
  readonly cluster: KubernetesRig
  readonly image: string
  readonly namespace: string
  readonly folder: string
  readonly installation: string
  readonly ref: (workload: string) => Ref
  /** Another life of us: nothing is shared with those before but the cluster and the folder. */
  readonly open: (more?: Partial<HelmOptions>) => HelmReleases
  readonly desired: (ref: Ref, chart: ChartFiles | HelmSource['chart'], input?: ChartInput) => DesiredChart
  readonly helm: (...args: readonly string[]) => Promise<string>
  readonly kubectl: (...args: readonly string[]) => Promise<string>
  readonly end: () => Promise<void>
}

/** The Helm that is tested: the rig's own, or the one that the environment names. */
const testedHelm = process.env.GANTRY_TEST_HELM

export async function helmRig(): Promise<HelmRig | { readonly missing: string }> {
  const found = await kubernetesRig()
  if ('missing' in found) return found
  const tools = await kubernetesTools(call)
  const helm = testedHelm ?? tools.helm
  const installation = `test-${randomUUID().slice(0, 8)}`
  const { name: namespace, end } = await found.ownNamespace({ [label.installation]: installation })
  const folder = mkdtempSync(join(tmpdir(), 'gantry-helm-'))
  const opened = new Set<HelmReleases>()
  const env = { KUBECONFIG: found.address.kubeconfig, HOME: join(folder, 'person'), PATH: process.env.PATH ?? '' }
  const tool =
    (program: string) =>
    async (...args: readonly string[]): Promise<string> =>
      (await run(program, ['--namespace', namespace, ...args], { env, maxBuffer: 64 * 1024 * 1024 })).stdout
  return {
    cluster: found,
    image: found.address.image,
    namespace,
    folder,
    installation,
    ref: (workload) => ({ tenant: 'acme', workload, uid: randomUUID(), slot: 'a' }),
    open(more = {}) {
      const releases = helmReleases({
        api: found.api,
        clock: systemClock,
        installation,
        namespaceOf: () => namespace,
        allow: confined,
        kubeconfig: (within) => writeKubeconfig(found.config, { clock: systemClock, env: {} }, within),
        folder: join(folder, 'runs'),
        helm,
        ...more,
      })
      opened.add(releases)
      return releases
    },
    desired: (ref, chart, input = {}) => desiredOf(installation, ref, chart, input),
    helm: tool(helm),
    kubectl: tool(tools.kubectl),
    async end() {
      for (const releases of opened) await releases.close()
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function desiredOf(
  installation: string,
  ref: Ref,
  chart: ChartFiles | HelmSource['chart'],
  { release = 'r1', run: wish = 'running', specHash, ...input }: ChartInput,
): DesiredChart {
  const source: HelmSource = {
    type: 'helm',
    chart: 'from' in chart ? (chart as HelmSource['chart']) : { from: 'archive', content: packed(chart as ChartFiles) },
    valuesFiles: [],
    values: {},
    set: {},
    wait: true,
    atomic: false,
    timeoutSeconds: 60,
    hooks: true,
    crds: true,
    ...input,
  }
  return {
    ref,
    installation,
    labels: {},
    type: 'deployment',
    run: wish,
    replicas: 1,
    release,
    specHash: specHash ?? contentHash([release, input.set ?? {}, input.values ?? {}]),
    services: [],
    source,
    restart: { policy: 'always', maxPerHour: 10 } as DesiredChart['restart'],
    update: { type: 'rolling', maxSurge: 1, maxUnavailable: 0, minReadySeconds: 0 },
    stopGraceSeconds: 1,
    expose: 'none' as DesiredChart['expose'],
    engine: {},
  }
}

function packed(files: ChartFiles): Uint8Array {
  const name = /^name: (.+)$/m.exec(files['Chart.yaml'] ?? '')?.[1] ?? 'chart'
  return packChart(name, files)
}

/** A test on the real cluster, in a namespace of its own: it mostly waits, so that several can run at once. */
export async function onHelm(
  { skip }: { readonly skip: (why: string) => unknown },
  test: (rig: HelmRig) => Promise<void>,
): Promise<void> {
  const rig = await helmRig()
  if ('missing' in rig) return void skip(rig.missing)
  try {
    await test(rig)
  } finally {
    await rig.end()
  }
}

/** Passes until it is done, as a controller would make them; what it waited for on the way. */
export async function untilDone(pass: () => Promise<Pass>, ms = 90_000): Promise<readonly string[]> {
  const deadline = withDeadline(systemClock, ms, 'The passes', call)
  const waited: string[] = []
  try {
    for (;;) {
      const result = await pass()
      if (result.state === 'done') return waited
      if (waited.at(-1) !== result.reason) waited.push(result.reason)
      try {
        await sleep(systemClock, Math.min(result.afterMs, 500), deadline)
      } catch (error) {
        throw new Error(`${String(error)}; it waited for: ${waited.join(' | ')}`, { cause: error })
      }
    }
  } finally {
    deadline.clear()
  }
}

/** Passes until something is seen. */
export async function untilSeen(
  pass: () => Promise<Pass>,
  look: () => Promise<Observed | undefined>,
  what: (seen: Observed | undefined) => boolean,
  ms = 60_000,
): Promise<Observed | undefined> {
  const deadline = withDeadline(systemClock, ms, 'What is waited for', call)
  let seen: Observed | undefined
  try {
    for (;;) {
      await pass()
      seen = await look()
      if (what(seen)) return seen
      await sleep(systemClock, 200, deadline)
    }
  } catch (error) {
    throw new Error(`${String(error)}; seen: ${JSON.stringify(seen)}`, { cause: error })
  } finally {
    deadline.clear()
  }
}

/** Sets on the rig's cluster, in a namespace of their own, driven as an engine would, and looked at with the real kubectl. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, sleep, systemClock, withDeadline } from '@gantry/core'
import { kubernetesTools } from '@gantry/engines'
import { contentHash } from '../content-hash.ts'
import type { Desired } from '../desired.ts'
import type { KubernetesApi } from '../kubernetes/api/api.ts'
import { manifestSets } from '../kubernetes/manifests/index.ts'
import type { Confinement, DesiredSet, ManifestSets, SetOptions } from '../kubernetes/manifests/manifests.ts'
import type { Pass } from '../pass.ts'
import type { Ref } from '../ref.ts'
import { type KubernetesRig, kubernetesRig } from './kubernetes-rig.ts'

export const call: Call = { signal: new AbortController().signal }

export type KubectlResult = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type SetRig = {
  readonly rig: KubernetesRig
  readonly namespace: string
  /** Unlike that of any other test, for names of the whole cluster. */
  readonly id: string
  readonly installation: string
  readonly sets: ManifestSets
  /** Others on the same namespace: `api` may be one that breaks. */
  setsWith(more: Partial<SetOptions>): ManifestSets
  ref(workload?: string): Ref
  desired(text: string, more?: Partial<Desired>): DesiredSet
  /** The text with what a test must fill in: image, namespace, id. */
  fill(text: string): string
  /** Passes until it is done. */
  converged(desired: DesiredSet, sets?: ManifestSets): Promise<readonly string[]>
  removed(ref: Ref, sets?: ManifestSets): Promise<readonly string[]>
  kubectl(...argv: readonly string[]): Promise<KubectlResult>
  /** A file with this text, for kubectl. */
  file(text: string): Promise<string>
  end(): Promise<void>
}

const everyone: Confinement = { clusterScoped: ['*'], namespaces: {} }

export async function setRig(allow: Confinement = everyone): Promise<SetRig | { readonly missing: string }> {
  const rig = await kubernetesRig()
  if ('missing' in rig) return rig
  const own = await rig.ownNamespace()
  const id = randomUUID().slice(0, 6)
  const installation = `inst-${id}`
  const folder = await mkdtemp(join(tmpdir(), 'gantry-sets-'))
  const { kubectl } = await kubernetesTools(call)
  const options = (api: KubernetesApi): SetOptions => ({
    api,
    clock: systemClock,
    installation,
    namespaceOf: () => own.name,
    allow,
  })
  const made: ManifestSets[] = []
  const setsWith = (more: Partial<SetOptions>): ManifestSets => {
    const sets = manifestSets({ ...options(rig.api), ...more })
    made.push(sets)
    return sets
  }
  const usual = setsWith({})
  const ref = (workload = 'web'): Ref => ({ tenant: 'acme', workload, uid: `uid-${workload}-${id}`, slot: 'a' })
  const fill = (text: string): string =>
    text.replaceAll('__IMAGE__', rig.address.image).replaceAll('__NS__', own.name).replaceAll('__ID__', id)

  return {
    rig,
    namespace: own.name,
    id,
    installation,
    sets: usual,
    setsWith,
    fill,
    ref,
    desired(text, more = {}) {
      const filled = fill(text)
      const release = more.release ?? 'r1'
      return {
        ref: ref(),
        installation,
        labels: {},
        type: 'deployment',
        run: 'running',
        replicas: 1,
        release,
        specHash: contentHash({ filled, release, run: more.run }),
        services: [],
        restart: { policy: 'always', maxPerHour: 20 },
        update: { type: 'rolling', maxSurge: 1, maxUnavailable: 0, minReadySeconds: 0 },
        stopGraceSeconds: 10,
        expose: 'none',
        engine: {},
        ...more,
        source: { type: 'manifests', text: filled },
      } as DesiredSet
    },
    converged: (desired, sets = usual) => untilDone((within) => sets.converge(desired, within)),
    removed: (ref, sets = usual) => untilDone((within) => sets.remove(ref, within)),
    kubectl: (...argv) =>
      new Promise((resolve) => {
        const env = { ...process.env, KUBECONFIG: rig.address.kubeconfig, NODE_EXTRA_CA_CERTS: '' }
        execFile(kubectl, ['-n', own.name, ...argv], { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
          const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0
          resolve({ code, stdout, stderr })
        })
      }),
    async file(text) {
      const path = join(folder, `${randomUUID()}.yaml`)
      await writeFile(path, fill(text))
      return path
    },
    async end() {
      await Promise.all(made.map((sets) => sets.close()))
      await own.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What it waited for on the way; ends in the deadline where it never comes. */
export async function untilDone(pass: (within: Call) => Promise<Pass>, ms = 90_000): Promise<readonly string[]> {
  const deadline = withDeadline(systemClock, ms, 'Coming to an end', call)
  const reasons: string[] = []
  try {
    for (;;) {
      const outcome = await pass(deadline)
      if (outcome.state === 'done') return reasons
      if (reasons.at(-1) !== outcome.reason) reasons.push(outcome.reason)
      await sleep(systemClock, outcome.afterMs, deadline)
    }
  } catch (error) {
    throw deadline.passed() ? new Error(`never done; waited for ${reasons.join(' | ')}`, { cause: error }) : error
  } finally {
    deadline.clear()
  }
}

/** A test on the real cluster, with a namespace of its own that is removed after it. */
export async function onSets(
  { skip }: { readonly skip: (why: string) => unknown },
  test: (rig: SetRig) => Promise<void>,
  allow?: Confinement,
): Promise<void> {
  const rig = await setRig(allow)
  if ('missing' in rig) {
    skip(rig.missing)
    return
  }
  try {
    await test(rig)
  } finally {
    await rig.end()
  }
}

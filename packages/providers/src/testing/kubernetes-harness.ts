/** The Kubernetes engine's test rig: one shared cluster, and for every case an installation, namespaces and a line of its own. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { buildImage, kubernetesTools, pushImage, engine as rigEngine } from '@gantry/engines'
import type { Harness } from '../contract/harness.ts'
import type { TestProgram } from '../contract/program.ts'
import { testSecrets } from '../contract/secrets.ts'
import type { Engine } from '../engine.ts'
import { connectKubernetes } from '../kubernetes/api/connect.ts'
import { resources } from '../kubernetes/api/resources.ts'
import type { KubeObject } from '../kubernetes/api/types/meta.ts'
import { type KubernetesEngine, kubernetesEngine } from '../kubernetes/index.ts'
import { instanceName } from '../kubernetes/names.ts'
import type { Pod } from '../kubernetes/observe/objects.ts'
import { podOfEngineId } from '../kubernetes/observe/observed-of.ts'
import type { KubernetesOptions } from '../kubernetes/options.ts'
import { label } from '../labels.ts'
import { leaveAtOnce } from '../leaving.ts'
import { memoryRecords } from '../memory-records.ts'
import type { Provider } from '../provider.ts'
import { providerFrom } from '../provider-from.ts'
import type { Ref } from '../ref.ts'
import { type ApiFront, apiFront, type FrontRule } from './api-front.ts'
import { busyboxFolder, busyboxPrograms } from './busybox-programs.ts'
import { freePort } from './free-port.ts'
import { type KubernetesRig, testManager } from './kubernetes-rig.ts'
import { kubernetesSources } from './kubernetes-sources.ts'
import { kubernetesTruth, pidOf } from './kubernetes-truth.ts'
import { type RegistryFront, registryFront } from './registry-front.ts'

export type KubernetesHarness = Harness & {
  readonly engine: KubernetesEngine
  readonly front: ApiFront
  namespaceOf(ref: Ref): string
  /** Another engine on the same cluster, as after a restart of the server. */
  reopen(more?: Partial<KubernetesOptions>): Promise<KubernetesEngine>
}

/** Who is behind a Service. */
type Slice = KubeObject & { readonly endpoints?: readonly { readonly targetRef?: { readonly name?: string } }[] }

const clock = systemClock
const call = { signal: new AbortController().signal }

export async function kubernetesHarness(
  rig: KubernetesRig,
  more: Partial<KubernetesOptions> = {},
  /** What the server does otherwise from the beginning on. */
  rule?: FrontRule,
): Promise<KubernetesHarness> {
  const { address } = rig
  const id = randomUUID()
  const [installation, stranger, namespacePrefix] = [`installation-${id}`, `stranger-${id}`, `t-${id.slice(0, 8)}`]
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-kubernetes-')))
  const front = await apiFront(address)
  front.rule(rule)
  const api = await connectKubernetes(front.config, call, { answerMs: 10_000 })
  const { helm } = await kubernetesTools(call)
  const kubeconfig = (): Promise<string> => readFile(address.kubeconfig, 'utf8')
  const open = (with_: Partial<KubernetesOptions> = {}): Promise<KubernetesEngine> => {
    const charts = { kubeconfig, folder: join(base, 'helm'), helm }
    const options = { installation, clock, leaving: leaveAtOnce, api, namespacePrefix, drainSeconds: 0, charts }
    // On a busy machine an answer takes its time.
    const registryMs = 60_000
    return kubernetesEngine({ ...options, registryMs, hostFolders: [base, busyboxFolder], ...more, ...with_ }, call)
  }
  const letGo = async (): Promise<void> => {
    api.close()
    await front.close()
    rmSync(base, { recursive: true, force: true })
  }
  const engine = await open().catch(async (error: unknown) => {
    await letGo()
    throw error
  })
  const opened: KubernetesEngine[] = [engine]
  const fronts: RegistryFront[] = []
  const secrets = testSecrets()
  const records = memoryRecords()
  const over = (behind: Engine, known = records): Provider =>
    providerFrom(behind, { name: 'under-test', installation, records: known, secrets, clock, ids: randomUUID })
  const namespaceOf = ({ tenant }: Ref): string => `${namespacePrefix}-${tenant}`

  const podOf = async (engineId: string): Promise<Pod> => {
    const { namespace, name } = podOfEngineId(engineId) ?? { namespace: '', name: '' }
    const pod = await rig.api.objects.get<Pod>({ resource: resources.pod, namespace, name }, call)
    if (!pod) throw new Error(`There is no pod ${engineId}`)
    return pod
  }

  /** Under a name of this case alone, and with a mark, so that two cases have no image in common. */
  const image = async (program: TestProgram, name: string): Promise<string> => {
    const registry = await registryOf()
    const reference = `${registry}/${id}/${name}`
    const settings = { Entrypoint: busyboxPrograms.program(program), Labels: { 'gantry.test/case': id } }
    await pushImage(buildImage(await readFile(address.layer), settings), reference, call)
    return reference
  }

  return {
    provider: over(engine),
    engine,
    front,
    installation,
    records,
    secrets,
    clock,
    over,
    namespaceOf,
    settle: (work) => work,
    service: (program) => ({ image: address.image, command: busyboxPrograms.program(program) }),
    argv: busyboxPrograms.command,
    folder: busyboxFolder,
    workingDir: '/var',
    user: '1000:1000',
    freePort,
    missingImage: `${await registryOf()}/nobody/has-this:1`,

    async hostFolder() {
      const path = join(base, 'host')
      mkdirSync(path, { recursive: true })
      return { path, write: async (name, text) => writeFileSync(join(path, name), text) }
    },

    image,

    async privateImage(program, login) {
      const registry = await registryOf()
      const guarded = await registryFront(registry, login)
      fronts.push(guarded)
      return (await image(program, 'private:1')).replace(registry, guarded.host)
    },

    truth: (ref) =>
      kubernetesTruth({ api: rig.api, installation, namespace: namespaceOf(ref), folder: address.folder }, ref, call),

    async exists(found) {
      const [namespace = '', name = '', uid] = found.split('/')
      const object = await rig.api.objects.get({ resource: resources.deployment, namespace, name }, call)
      return object?.metadata.uid === uid
    },

    async foreign(ref) {
      const namespace = namespaceOf(ref)
      const name = instanceName(installation, ref)
      const own = { [label.installation]: installation, [label.tenant]: ref.tenant }
      await rig.api.objects.apply(
        { resource: resources.namespace, name: namespace },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: own } },
        { fieldManager: testManager, force: true },
        call,
      )
      const labels = { app: name, [label.installation]: stranger }
      const object = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, namespace, labels },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'theirs', image: address.image }] } },
        },
      }
      const of = { resource: resources.deployment, namespace }
      const { metadata } = await rig.api.objects.create(of, object, { fieldManager: testManager }, call)
      return `${namespace}/${name}/${metadata.uid}`
    },

    async dial({ dial }) {
      if (!('host' in dial)) return false
      const answer = await fetch(`http://${dial.host}:${dial.port}/`).catch(() => undefined)
      return answer?.status === 200
    },

    async trafficTo(workload) {
      const namespace = namespaceOf({ ...workload, slot: 'a' })
      const behind = { labelSelector: `kubernetes.io/service-name=${workload.workload}` }
      const { items } = await rig.api.objects.list<Slice>(
        { resource: resources.endpointSlice, namespace },
        behind,
        call,
      )
      const names = items.flatMap(({ endpoints }) => endpoints ?? []).flatMap(({ targetRef }) => targetRef?.name ?? [])
      const pods = await Promise.all(
        names.map((name) => rig.api.objects.get<Pod>({ resource: resources.pod, namespace, name }, call)),
      )
      const slots = new Set(pods.flatMap((pod) => pod?.metadata.labels?.[label.slot] ?? []))
      return (['a', 'b'] as const).filter((slot) => slots.has(slot))
    },
    sources: kubernetesSources({ api: rig.api, image: address.image, namespaceOf }),

    cut: async () => front.cut(),
    heal: async () => front.heal(),

    async crash(engineId, service) {
      const pid = pidOf(await podOf(engineId), service, address.folder)
      if (pid === undefined) throw new Error(`${service} of ${engineId} does not run`)
      // Not by the cluster, which would take it for somebody's wish.
      process.kill(pid, 'SIGKILL')
    },

    async vanish(engineId) {
      const { namespace, name, uid } = podOfEngineId(engineId) ?? { namespace: '', name: '', uid: '' }
      await rig.api.objects.delete({ resource: resources.pod, namespace, name }, { uid, graceSeconds: 0 }, call)
    },

    async reopen(with_) {
      const next = await open(with_)
      opened.push(next)
      return next
    },

    async dispose() {
      front.heal()
      for (const each of opened) await each.close()
      const which = { labelSelector: `${label.installation}=${installation}`, metadataOnly: true }
      const { items } = await rig.api.objects.list({ resource: resources.namespace }, which, call)
      // Not waited for: what is in them goes by itself.
      for (const { metadata } of items) {
        await rig.api.objects.delete({ resource: resources.namespace, name: metadata.name }, {}, call)
      }
      await Promise.all(fronts.map((each) => each.close()))
      await letGo()
    },
  }
}

let registry: Promise<string> | undefined

function registryOf(): Promise<string> {
  registry ??= rigEngine('registry', call).then((found) => {
    if (found.state === 'missing') throw new Error(found.why)
    return found.address.host
  })
  return registry
}

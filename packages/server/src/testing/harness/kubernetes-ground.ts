/** Pods on a cluster of its own, on which there is nothing else of ours. */
import { kubernetesPids, type PrivateEngine, startPrivate } from '@gantry/engines'
import { label } from '@gantry/providers'
import { type KubernetesLook, kubernetesLook, resources, type SeenObject } from '@gantry/providers/testing'
import type { Belonging, Ground, OpenGround, Running } from '../../harness/ground.ts'
import { edgePart, supervised } from '../../harness/looking.ts'
import { until } from '../../whole/testing/until.ts'
import { kubernetesWeb, putKubernetes } from '../zero-failed/kubernetes-system.ts'
import { pushNodeImage } from '../zero-failed/node-image.ts'

const call = () => ({ signal: AbortSignal.timeout(30_000) })
const patientCall = () => ({ signal: AbortSignal.timeout(300_000) })

/** Nobody asks it while it leaves: each death would only wait for it. */
const wishes = { namespacePrefix: 'harness', drainSeconds: 0 }

export const openKubernetesGround: OpenGround = async (installation) => {
  const engine = await startPrivate('kubernetes', patientCall(), { metrics: 'off' })
  try {
    const image = await pushNodeImage(patientCall())
    const { system, supervisor } = await installation
    await putKubernetes(system.client, engine.address, wishes)
    const look = await kubernetesLook(engine.address, patientCall())
    return groundOn(engine, look, image, () => supervised(supervisor))
  } catch (error) {
    await engine.stop(patientCall())
    throw error
  }
}

function groundOn(
  engine: PrivateEngine<'kubernetes'>,
  look: KubernetesLook,
  image: string,
  edge: () => Promise<ReadonlyMap<string, Running>>,
): Ground {
  return {
    // An API server that was killed takes its time until it answers again, and all others until they have noticed.
    patienceMs: 180_000,
    web: kubernetesWeb(image),
    volumes: 'passing only',
    partsOf: (engineId) => [engineId],

    async running() {
      const pods = (await look.pods(call())).map(({ namespace, name, uid, phase, run, restarts }) => {
        return [`${namespace}/${name}/${uid}`, { phase, run, restarts }] as const
      })
      return new Map([...(await edge()), ...pods])
    },

    async lasting() {
      const of = { labelSelector: label.installation, metadataOnly: true }
      const { items } = await look.api.objects.list({ resource: resources.claim }, of, call())
      return items.map(({ metadata: { name, uid: id = '', labels = {} } }) => {
        return { name, id, volume: labels['gantry.dev/volume'] ?? 'unknown' }
      })
    },

    strays: async (known) => strays(await look.owned(watched, call()), known),

    async settle() {
      // What stays all the same is told when it is closed.
      await isGone(look, 60_000)
    },
    // The namespace lingers for a while, unless the server ends.
    isClear: () => isGone(look, 20_000),

    async aimAt(victim) {
      if (victim !== 'api') throw new Error(`there is no ${victim} here`)
      return { pid: (await kubernetesPids(engine.address)).apiserver, signal: 'SIGKILL' }
    },
    endsWith: (victim, part) => victim === 'edge' && part === edgePart,
    async revive(victim) {
      if (victim === 'api') await engine.restart('immediate', patientCall())
    },

    async close(isSound) {
      try {
        return isSound ? await leftOn(look) : []
      } finally {
        look.close()
        await engine.stop(patientCall())
      }
    },
  }
}

/** What we make, but for claims, which may outlive it. All kinds that there are, which take longer, are looked at in the end. */
const watched = [
  resources.deployment,
  resources.statefulSet,
  resources.replicaSet,
  resources.service,
  resources.configMap,
  resources.secret,
  resources.disruptionBudget,
]

/** Of a workload at rest there is one slot, and of its files one version: all else was left by somebody who died. */
function strays(all: readonly SeenObject[], { uid }: Belonging): readonly string[] {
  const own = all.filter(({ labels }) => labels[label.uid] === uid)
  const foreign = all.filter(({ labels }) => labels[label.uid] !== uid)
  const slots = new Set(own.flatMap(({ labels }) => labels[label.slot] ?? []))
  const versions = (kind: string): readonly string[] =>
    own.filter((each) => each.kind === kind).map(({ name }) => `${kind} ${name}`)
  const files = [versions('ConfigMap'), versions('Secret')].filter(({ length }) => length > 1)
  return [
    ...foreign.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name} is of nothing that is there`),
    ...(slots.size > 1 ? [`there are two slots: ${own.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`] : []),
    ...files.map((names) => `there are files of before: ${names.join(', ')}`),
  ]
}

async function isGone(look: KubernetesLook, withinMs: number): Promise<boolean> {
  const left = () => leftOn(look)
  const seen = await until('the namespace to go', left, ({ length }) => length === 0, { withinMs }).catch(left)
  return seen.length === 0
}

/** All that the server must have taken away by the time it has ended in order. */
async function leftOn(look: KubernetesLook): Promise<readonly string[]> {
  const left = await look.owned(undefined, call())
  return left.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)
}

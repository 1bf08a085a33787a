/**
 * Charts and manifests whose server is killed in the middle of making, changing and removing them: what was begun comes to its
 * end with the next server, Helm agrees, and nothing is left. Whatever is held back here is let go only then.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { isFault } from '@gantry/core'
import { type EngineReady, engine, kubernetesTools } from '@gantry/engines'
import {
  heldHook,
  type KubernetesLook,
  kubernetesLook,
  packChart,
  resources,
  webChart,
} from '@gantry/providers/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { processesOf } from './testing/leftovers.ts'
import { settled } from './testing/settled.ts'
import { type System, startSystem } from './testing/system.ts'
import { until } from './testing/until.ts'

const call = { signal: AbortSignal.timeout(15 * 60_000) }
const run = promisify(execFile)
const namespacePrefix = `killed-${randomUUID().slice(0, 8)}`
const namespace = `${namespacePrefix}-default`
const fieldManager = 'gantry-test'

let system: System
let cluster: EngineReady<'kubernetes'> | undefined
let look: KubernetesLook
let helmProgram: string
let missing: string | undefined

beforeAll(async () => {
  const found = await engine('kubernetes', call)
  if (found.state === 'missing') {
    missing = found.why
    return
  }
  cluster = found
  look = await kubernetesLook(found.address, call)
  helmProgram = (await kubernetesTools(call)).helm
  system = await startSystem()
  await system.start()
  const kubernetes = {
    kubeconfig: { path: found.address.kubeconfig },
    namespacePrefix,
    helm: helmProgram,
    drainSeconds: 0,
  }
  await system.client.providers.put({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name: 'kubernetes' },
    spec: { type: 'kubernetes', kubernetes },
  })
}, 300_000)

afterAll(async () => {
  const left = await system?.dispose()
  // Also after a failure: it is everybody's cluster.
  await look?.api.objects.delete({ resource: resources.namespace, name: namespace }, {}, call)
  look?.close()
  cluster?.release()
  if (system) expect(left).toEqual([])
}, 300_000)

beforeEach(({ skip }) => {
  if (missing !== undefined) skip(missing)
})

const workloads = () => system.client.tenant('default').workloads
const put = (name: string, source: object) =>
  workloads().put({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name },
    spec: { provider: 'kubernetes', source, strategy: { minReadySeconds: 0 } },
  })

/** A page, and a Job that Helm waits for at `event`. */
function chart(event: string, text: string): object {
  const image = cluster?.address.image ?? ''
  const files = webChart(image, { 'templates/held.yaml': heldHook('held', event, image) })
  const archive = Buffer.from(packChart('web', files)).toString('base64')
  return { helm: { chart: { archive }, set: { text } } }
}

/** Objects that need no pod. With `held`, also one that waits for an address, which nobody but this test gives it. */
function objects(name: string, text: string, { held = false, kept = false } = {}): object {
  const finalizers = kept ? { finalizers: ['test.example/held'] } : {}
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-${text}`, ...finalizers } }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  }
  return { manifests: { text: [config, ...(held ? [service] : [])].map((one) => JSON.stringify(one)).join('\n---\n') } }
}

/** Of the newest revision, as Helm has written it down. */
async function statusOf(release: string): Promise<string | undefined> {
  const which = { labelSelector: `owner=helm,name=${release}`, metadataOnly: true }
  const { items } = await look.api.objects.list({ resource: resources.secret, namespace }, which, call)
  const labels = items.map(({ metadata }) => metadata.labels ?? {})
  return labels.sort((one, other) => Number(other.version) - Number(one.version))[0]?.status
}

const found = (resource: (typeof resources)['configMap'], name: string) =>
  look.api.objects.get({ resource, namespace, name }, call)

/** Of this server or an earlier one, for these. */
const helms = async (names: Names): Promise<number[]> =>
  (await processesOf(system.dataDir))
    .filter(
      (line) => line.includes(`${helmProgram} `) && Object.values(names).some((name) => line.includes(` ${name} `)),
    )
    .map((line) => Number.parseInt(line, 10))

const helm = async (...args: readonly string[]) => {
  const argv = [
    ...args,
    '--namespace',
    namespace,
    '--kubeconfig',
    cluster?.address.kubeconfig ?? '',
    '--output',
    'json',
  ]
  return JSON.parse((await run(helmProgram, argv, call)).stdout)
}

/** What was held back goes on, as often as it is made; what is not there is not there. */
async function letGo(names: Names): Promise<void> {
  const { patch } = look.api.objects
  for (const release of [names.installs, names.upgrades, names.deletes]) {
    const at = { resource: resources.job, namespace, name: `${release}-held` }
    await patch(at, { type: 'merge', body: { spec: { suspend: false } } }, { fieldManager }, call)
  }
  for (const name of [names.comes, names.changes]) {
    const body = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }
    const at = { resource: resources.service, namespace, name }
    await patch(at, { type: 'merge', body }, { fieldManager, subresource: 'status' }, call)
  }
  const at = { resource: resources.configMap, namespace, name: `${names.leaves}-one` }
  const kept = await found(resources.configMap, at.name)
  if (kept?.metadata.deletionTimestamp !== undefined)
    await patch(at, { type: 'merge', body: { metadata: { finalizers: null } } }, { fieldManager }, call)
}

type Names = ReturnType<typeof namesOf>
const namesOf = (suffix: string) => ({
  installs: `installs-${suffix}`,
  upgrades: `upgrades-${suffix}`,
  deletes: `deletes-${suffix}`,
  comes: `comes-${suffix}`,
  changes: `changes-${suffix}`,
  leaves: `leaves-${suffix}`,
})

/** All six are in the middle of what is done to them. */
async function inTheMiddle(suffix: string): Promise<Names> {
  const names = namesOf(suffix)
  await put(names.upgrades, chart('pre-upgrade', 'one'))
  await put(names.deletes, chart('pre-delete', 'one'))
  await put(names.changes, objects(names.changes, 'one'))
  await put(names.leaves, objects(names.leaves, 'one', { kept: true }))
  for (const name of [names.upgrades, names.deletes, names.changes, names.leaves]) await settled(system.client, name)
  await put(names.installs, chart('pre-install', 'one'))
  await put(names.upgrades, chart('pre-upgrade', 'two'))
  await put(names.comes, objects(names.comes, 'one', { held: true }))
  await put(names.changes, objects(names.changes, 'two', { held: true }))
  await workloads().delete(names.deletes)
  await workloads().delete(names.leaves)
  await until(
    'all of it to be under way',
    async () => [
      await statusOf(names.installs),
      await statusOf(names.upgrades),
      await statusOf(names.deletes),
      (await found(resources.service, names.comes)) !== undefined,
      (await found(resources.service, names.changes)) !== undefined,
      (await found(resources.configMap, `${names.leaves}-one`))?.metadata.deletionTimestamp !== undefined,
    ],
    (seen) => seen.join() === 'pending-install,pending-upgrade,uninstalling,true,true,true',
  )
  return names
}

const isGone = async (name: string): Promise<boolean> =>
  await workloads()
    .get(name)
    .then(() => false)
    .catch((error: unknown) => {
      if (isFault(error, 'not_found')) return true
      throw error
    })

/** With the next server, all six come to their end. */
async function toTheEnd(names: Names): Promise<void> {
  await until(
    'what was to go to be gone, and the rest to be ready',
    async () => {
      await letGo(names)
      const rest = [names.installs, names.upgrades, names.comes, names.changes]
      const ready = await Promise.all(
        rest.map(async (name) => {
          const { status } = await workloads().get(name)
          const is = (type: string) => status.conditions?.find((condition) => condition.type === type)?.status
          return is('Ready') === 'True' && is('Progressing') === 'False'
        }),
      )
      return [await isGone(names.deletes), await isGone(names.leaves), ...ready]
    },
    (seen) => !seen.includes(false),
    { withinMs: 120_000, everyMs: 200 },
  )
  for (const name of [names.installs, names.upgrades, names.comes, names.changes]) await settled(system.client, name)
  await until(
    'no helm to be left',
    () => helms(names),
    (pids) => pids.length === 0,
  )
}

/** What Helm says of those that stay, and that of those that went nothing is there. */
async function agreed(names: Names): Promise<Record<'installs' | 'upgrades', string>> {
  const history = async (name: string): Promise<string> => {
    const lines = (await helm('history', name)) as { readonly revision: number; readonly status: string }[]
    return lines.map(({ revision, status }) => `${revision} ${status}`).join(', ')
  }
  for (const name of [names.installs, names.upgrades])
    expect((await helm('status', name)).info.status, name).toBe('deployed')
  expect(((await helm('list')) as { readonly name: string }[]).map(({ name }) => name).sort()).toEqual(
    [names.installs, names.upgrades].sort(),
  )
  expect(await found(resources.configMap, `${names.changes}-one`)).toBeUndefined()
  expect(await found(resources.configMap, `${names.changes}-two`)).toBeDefined()
  expect(await found(resources.deployment, names.deletes)).toBeUndefined()
  return { installs: await history(names.installs), upgrades: await history(names.upgrades) }
}

const kinds = [
  resources.deployment,
  resources.pod,
  resources.job,
  resources.service,
  resources.configMap,
  resources.secret,
]

async function nothingStays(names: Names, ...more: readonly string[]): Promise<void> {
  const rest = [names.installs, names.upgrades, names.comes, names.changes, ...more]
  for (const name of rest) await workloads().delete(name)
  await until(
    'them to be gone',
    async () => {
      await letGo(names)
      return await Promise.all(rest.map(isGone))
    },
    (gone) => !gone.includes(false),
    { withinMs: 90_000, everyMs: 200 },
  )
  const lists = await Promise.all(
    kinds.map((resource) => look.api.objects.list({ resource, namespace }, { metadataOnly: true }, call)),
  )
  const left = lists.flatMap(({ items }, index) =>
    items.map(({ metadata }) => `${kinds[index]?.kind} ${metadata.name}`),
  )
  expect(left.filter((line) => line !== 'ConfigMap kube-root-ca.crt')).toEqual([])
}

describe('a server that is killed while charts and manifests are made, changed and removed', {
  timeout: 300_000,
}, () => {
  it('leaves its helms to the next one, which waits for them and begins none beside them', async () => {
    const names = await inTheMiddle('a')
    const before = await helms(names)
    expect(before).toHaveLength(3)
    await system.kill()
    expect(await helms(names)).toEqual(before)
    await system.start()
    // It has looked at all of them when something new is made.
    await put('news', objects('news', 'one'))
    await settled(system.client, 'news')
    expect(await helms(names)).toEqual(before)
    await toTheEnd(names)
    expect(await agreed(names)).toEqual({ installs: '1 deployed', upgrades: '1 superseded, 2 deployed' })
    await nothingStays(names, 'news')
  })

  it('and whose helms died with it leaves what the next one repairs', async () => {
    const names = await inTheMiddle('b')
    const before = await helms(names)
    expect(before).toHaveLength(3)
    await system.kill()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    await system.start()
    await toTheEnd(names)
    expect(await agreed(names)).toEqual({ installs: '1 deployed', upgrades: '1 superseded, 2 failed, 3 deployed' })
    await nothingStays(names)
  })
})

/** What is not as it was asked for, and what is left over: each as a sentence, none if all is well. */
import { request } from 'node:http'
import { isFault, type ObjectOf } from '@gantry/core'
import { saysOf, type Wanted } from './actions.ts'
import { edgePart, filesBelow } from './looking.ts'
import type { Rig } from './rig.ts'

export type Expected = {
  readonly name: string
  readonly wanted: Wanted
  /** How many objects there are of each kind. `undefined`: not known yet. */
  readonly stored: Readonly<Record<string, number>> | undefined
  /** What is there when there is no workload. */
  readonly bare: Bare
  /** What ran before, and must be the same run if it still is there. */
  readonly runs: ReadonlyMap<string, string>
  /** Volumes that were there, and must be the same if they still are. */
  readonly lasting: ReadonlyMap<string, string>
}

/** `undefined`: not known yet. */
export type Bare = { readonly files: readonly string[]; readonly stored: readonly string[] } | undefined

export async function bareOf({ control, roots }: Rig): Promise<NonNullable<Bare>> {
  return { files: await filesBelow(roots), stored: await control.stored() }
}

/** The workload as it is stored; `undefined`: looked, and not there. */
export async function workloadOf({ system }: Rig, name: string): Promise<ObjectOf<'Workload'> | undefined> {
  try {
    return await system.client.tenant('default').workloads.get(name)
  } catch (error) {
    if (isFault(error, 'not_found')) return undefined
    throw error
  }
}

export async function whatIsWrong(rig: Rig, expected: Expected): Promise<string[]> {
  const workload = await workloadOf(rig, expected.name)
  const wrong = expected.wanted.exists ? await wrongWith(rig, workload, expected) : stillThere(workload)
  if (wrong.length > 0) return wrong
  const engineIds = await replicasOf(rig, expected)
  return [
    ...(await wrongProcesses(rig, engineIds, workload?.metadata.uid, expected)),
    ...(await wrongVolumes(rig, expected)),
    ...(await wrongFiles(rig, engineIds, workload?.metadata.uid, expected)),
    ...(await wrongObjects(rig, expected)),
    ...(await wrongAnswer(rig, expected)),
  ]
}

function stillThere(workload: ObjectOf<'Workload'> | undefined): string[] {
  if (!workload) return []
  const { finalizers } = workload.metadata
  return [`it is still there, held by ${finalizers.join(', ')}: ${JSON.stringify(workload.status.conditions)}`]
}

async function wrongWith(
  { system }: Rig,
  workload: ObjectOf<'Workload'> | undefined,
  { wanted }: Expected,
): Promise<string[]> {
  if (!workload) return ['it is not there']
  const { metadata, status } = workload
  const wrong: string[] = []
  const is = (what: string, found: unknown, should: unknown): void => {
    if (found !== should) wrong.push(`${what} is ${found}, not ${should}`)
  }
  const condition = (type: string) => status.conditions?.find((each) => each.type === type)
  const running = wanted.run === 'running'
  is('the generation that was looked at', status.observedGeneration, metadata.generation)
  is('the release that runs', status.release, wanted.release)
  is('the number of replicas', status.replicas, running ? wanted.replicas : 0)
  is('the number of those that are ready', status.readyReplicas, running ? wanted.replicas : 0)
  for (const [type, should] of [
    ['Ready', running ? 'True' : 'False'],
    ['Progressing', 'False'],
    ['Degraded', 'False'],
  ] as const) {
    const found = condition(type)
    if (found?.status !== should) wrong.push(`${type} is ${found?.status}, not ${should}: ${found?.message}`)
  }
  const { rollouts } = system.client.tenant('default')
  const rollout = status.rollout === undefined ? undefined : await rollouts.get(status.rollout)
  is('the phase of its rollout', rollout?.status.phase, 'succeeded')
  return wrong
}

async function replicasOf({ system }: Rig, { name, wanted }: Expected): Promise<readonly string[]> {
  if (!wanted.exists) return []
  return (await system.client.tenant('default').workloads.replicas(name)).items.map(({ engineId }) => engineId)
}

async function wrongProcesses(
  { ground }: Rig,
  engineIds: readonly string[],
  uid: string | undefined,
  { runs, wanted }: Expected,
): Promise<string[]> {
  const wrong: string[] = []
  const wish = wanted.exists && wanted.run === 'running' ? wanted.replicas : 0
  if (engineIds.length !== wish) wrong.push(`there are ${engineIds.length} replicas, not ${wish}`)
  const running = await ground.running()
  const should = new Set([edgePart, ...engineIds.flatMap((id) => ground.partsOf(id))])
  for (const [id, { phase, run, restarts }] of running) {
    if (!should.delete(id)) wrong.push(`${id} is still there, and is ${phase}`)
    else if (phase !== 'running') wrong.push(`${id} is ${phase}`)
    const before = runs.get(id)
    if (before !== undefined && before !== run) wrong.push(`${id} is ${run}, and was ${before}: ${restarts} restarts`)
  }
  for (const id of should) wrong.push(`${id} is not there`)
  return [...wrong, ...(await ground.strays({ running, engineIds, uid }))]
}

async function wrongVolumes({ ground }: Rig, { wanted, lasting }: Expected): Promise<string[]> {
  const found = await ground.lasting?.()
  if (!found) return []
  const volumes = new Set([...found.map(({ volume }) => volume), ...Object.keys(wanted.volumes)])
  const amounts = [...volumes].flatMap((volume) => {
    const names = found.filter((each) => each.volume === volume).map(({ name }) => name)
    const should = wanted.volumes[volume] ?? 0
    return names.length === should ? [] : [`there are ${names.length} of the volume ${volume}, not ${should}: ${names}`]
  })
  const others = found.filter(({ name, id }) => lasting.has(name) && lasting.get(name) !== id)
  return [...amounts, ...others.map(({ name }) => `the volume ${name} was made anew, and what was in it is lost`)]
}

const idsIn = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[ab](?:-\d+-[0-9a-f]{8})?/g

async function wrongFiles(
  { roots }: Rig,
  engineIds: readonly string[],
  uid: string | undefined,
  { wanted, bare }: Expected,
): Promise<string[]> {
  const files = await filesBelow(roots)
  if (!wanted.exists) {
    const before = new Set(bare?.files ?? files)
    return files.filter((path) => !before.has(path)).map((path) => `the file ${path} is left over`)
  }
  const known = (id: string): boolean => engineIds.includes(id) || id === `${uid}-a` || id === `${uid}-b`
  const left = files.filter((path) => [...path.matchAll(idsIn)].some(([id]) => !known(id)))
  const drafts = files.filter((path) => /\.(?:draft|new|tmp)$/.test(path))
  return [
    ...left.map((path) => `the file ${path} is of nothing that is there`),
    ...drafts.map((path) => `${path} is left`),
  ]
}

async function wrongObjects({ control }: Rig, { wanted, stored, bare }: Expected): Promise<string[]> {
  const found = await control.stored()
  if (!wanted.exists) {
    const before = new Set(bare?.stored ?? found)
    return found.filter((object) => !before.has(object)).map((object) => `${object} is left in the store`)
  }
  if (!stored) return []
  const counts = countKinds(found)
  const kinds = [...new Set([...Object.keys(counts), ...Object.keys(stored)])]
  return kinds.flatMap((kind) => {
    const [is, should] = [counts[kind] ?? 0, stored[kind] ?? 0]
    return is === should ? [] : [`there are ${is} of ${kind} in the store, not ${should}`]
  })
}

/** Events are written when there is time, so that there may be none yet. */
export function countKinds(stored: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of stored.map((each) => each.split(' ', 1)[0] ?? '')) {
    if (kind !== 'Events' && kind !== 'usage') counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

async function wrongAnswer({ system }: Rig, { name, wanted }: Expected): Promise<string[]> {
  const found = await ask(system.edgePort, `${name}.default.localhost`)
  const should = !wanted.exists ? '404' : wanted.run === 'running' ? `200 ${saysOf(wanted)}` : '503'
  return found.startsWith(should) ? [] : [`a request is answered with ${found.slice(0, 200)}, not ${should}`]
}

function ask(port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', headers: { host }, agent: false, timeout: 10_000 }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.once('end', () => resolve(`${response.statusCode} ${body.trim()}`))
    })
    sent.once('timeout', () => sent.destroy(new Error('no answer')))
    sent.once('error', (error) => resolve(String(error)))
    sent.end()
  })
}

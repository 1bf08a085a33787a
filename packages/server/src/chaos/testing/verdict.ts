/** What must be so in the end: everything as asked for, nothing stuck, nothing left over. */
import type { GantryObject, ObjectOf } from '@gantry/core'
import { conditionOf } from '../../controllers/conditions.ts'
import { nameOf, type People } from './people.ts'
import type { Rig } from './rig.ts'

/** Each as a sentence; none if all is well. */
export async function whatIsWrong(rig: Rig, people: People): Promise<string[]> {
  const workloads = await rig.list('Workload')
  const wrong: string[] = []
  for (const [number, asked] of people.asked) {
    const workload = workloads.find(({ metadata }) => metadata.name === nameOf(number))
    if (workload) wrong.push(...(await wrongWith(rig, workload as unknown as ObjectOf<'Workload'>, asked.image)))
    else wrong.push(`${nameOf(number)} is not there any more`)
  }
  const wanted = new Set([...people.asked.keys()].map(nameOf))
  for (const { metadata } of workloads) {
    if (!wanted.has(metadata.name)) wrong.push(`${metadata.name} is still there: ${metadata.finalizers.join(', ')}`)
  }
  // The first look is cheap, since it is taken often.
  if (wrong.length > 0) return wrong
  return [...leftOnEngine(rig, await rig.list('Instance')), ...(await leftInStore(rig, workloads))]
}

async function wrongWith(rig: Rig, workload: ObjectOf<'Workload'>, image: string): Promise<string[]> {
  const { metadata, spec, status } = workload
  const { name } = metadata
  if (status.observedGeneration !== metadata.generation) return [`${name} was not looked at since it was changed`]
  const wrong: string[] = []
  const wanted = spec.run === 'stopped' ? 0 : spec.replicas
  for (const [type, expected] of [
    ['Ready', spec.run === 'stopped' ? 'False' : 'True'],
    ['Progressing', 'False'],
    ['Degraded', 'False'],
  ] as const) {
    const found = conditionOf(workload, type)
    if (found?.status !== expected) wrong.push(`${name} is ${type} ${found?.status}: ${found?.message}`)
  }
  const rollout = status.rollout && (await rig.read('Rollout', status.rollout))
  const phase = rollout && (rollout as ObjectOf<'Rollout'>).status.phase
  if (phase !== 'succeeded') wrong.push(`${name}: its rollout ${status.rollout} is ${phase}`)
  const replicas = [...rig.world.replicas.values()].filter(({ instance }) => instance.ref.uid === metadata.uid)
  const good = replicas.filter(({ desired, terminating }) => !terminating && desired.services[0]?.image === image)
  if (good.length !== wanted || replicas.length !== wanted) {
    wrong.push(`${name} has ${replicas.length} replicas, ${good.length} of them right, and wants ${wanted}`)
  }
  return wrong
}

function leftOnEngine({ world }: Rig, instances: readonly GantryObject[]): string[] {
  const owned = new Set(
    instances.map((object) => (object as ObjectOf<'Instance'>).spec).map(({ uid, slot }) => `${uid} ${slot}`),
  )
  const seen = [...world.instances.values()]
  return seen
    .filter(({ ref }) => !owned.has(`${ref.uid} ${ref.slot}`))
    .map(({ ref }) => `slot ${ref.slot} of ${ref.workload} is on the engine and belongs to nothing`)
}

async function leftInStore(rig: Rig, workloads: readonly GantryObject[]): Promise<string[]> {
  const there = new Set(workloads.map(({ metadata }) => metadata.uid))
  const made = (
    await Promise.all(['Release', 'Rollout', 'Instance', 'Abandonment'].map((kind) => rig.list(kind)))
  ).flat()
  return made
    .filter(({ metadata }) => !metadata.ownerRefs.some(({ uid }) => there.has(uid)))
    .map(({ kind, metadata }) => `${kind} ${metadata.name} is left without its workload`)
}

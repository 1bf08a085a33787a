/** One schedule from beginning to end: everything that goes wrong, then calm, then what must be so. */
import { crashService } from '@gantry/providers/simulated'
import { Watch } from './never-green.ts'
import { People } from './people.ts'
import { Rig } from './rig.ts'
import { type Act, type Schedule, scheduleFrom } from './schedule.ts'
import { whatIsWrong } from './verdict.ts'

export type Outcome = {
  readonly schedule: Schedule
  /** What does not hold; none if all does. */
  readonly wrong: readonly string[]
  /** How long it took from the end of all trouble until everything was as asked for. */
  readonly convergedMs: number | undefined
}

/** So long may it take, in virtual time, once nothing goes wrong any more. */
const calmLimitMs = 900_000
const stepMs = 1_000
const calmStepMs = 2_000

export async function runSchedule(seed: number): Promise<Outcome> {
  const schedule = scheduleFrom(seed)
  const rig = await Rig.open(seed)
  try {
    await rig.write('Tenant', 'shop', {})
    await rig.write('Provider', 'here', { type: 'simulated', tenants: ['*'] })
    rig.world.images.set(brokenImage, { exits: { code: 3, afterMs: 30 } })
    const people = new People(rig, schedule.strategies)
    const watch = new Watch(rig)
    rig.boot()
    await unrest(rig, people, watch, schedule)
    await people.askAtLast()
    const convergedMs = await calm(rig, people)
    const wrong = [...watch.lies, ...(convergedMs === undefined ? await whatIsWrong(rig, people) : [])]
    return { schedule, wrong, convergedMs }
  } finally {
    await rig.close()
  }
}

export const brokenImage = 'broken:1'

async function unrest(rig: Rig, people: People, watch: Watch, { acts, endMs }: Schedule): Promise<void> {
  let now = 0
  for (const act of acts) {
    now = await pass(rig, watch, now, act.atMs)
    await perform(rig, people, act)
    await watch.look()
  }
  await pass(rig, watch, now, endMs)
  rig.world.heal()
  rig.line.unhang()
  rig.line.isFlaky = false
  rig.boot()
}

/** Looks over the controllers' shoulders on the way, but only while there is anything that they could get wrong. */
async function pass(rig: Rig, watch: Watch, from: number, to: number): Promise<number> {
  for (let now = from; now < to; ) {
    const ms = watch.isWorthIt ? Math.min(stepMs, to - now) : to - now
    await rig.clock.advance(ms)
    await watch.look()
    now += ms
  }
  return Math.max(from, to)
}

async function perform(rig: Rig, people: People, act: Act): Promise<void> {
  const { world, line, random } = rig
  const replicas = [...world.replicas.values()]
  switch (act.do) {
    case 'crash':
      if (replicas.length > 0) crashService(world, random.pick(replicas).id, 'web', 137)
      break
    case 'vanish':
      if (replicas.length > 0) world.forgetReplica(random.pick(replicas))
      break
    case 'cut':
      world.cut()
      break
    case 'heal':
      world.heal()
      break
    case 'hang':
      line.hangs = true
      break
    case 'unhang':
      line.unhang()
      break
    case 'flaky':
    case 'calm':
      line.isFlaky = act.do === 'flaky'
      break
    case 'kill':
      rig.kill()
      break
    case 'boot':
      rig.boot()
      break
    default:
      await people.wish(act.workload, act.do)
  }
}

async function calm(rig: Rig, people: People): Promise<number | undefined> {
  for (let passed = 0; passed < calmLimitMs; passed += calmStepMs) {
    await rig.clock.advance(calmStepMs)
    if ((await whatIsWrong(rig, people)).length === 0) return passed
  }
  return undefined
}

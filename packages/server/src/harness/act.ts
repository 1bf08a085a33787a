/** One action on a workload with a death in the middle of it, and whether all came to what was asked for. */
import { isFault } from '@gantry/core'
import type { Action, ActionName, Asked, Wanted } from './actions.ts'
import { isAsked } from './actions.ts'
import { circumstances } from './circumstances.ts'
import type { Victim } from './ground.ts'
import { edgePart } from './looking.ts'
import type { Rig } from './rig.ts'
import type { Aim } from './trail.ts'
import { type Bare, countKinds, type Expected, whatIsWrong, workloadOf } from './verdict.ts'

export type Target = { readonly point: string; readonly victim: Victim }

export type Acted = {
  readonly action: ActionName
  readonly target: Target | undefined
  /** killed: at the point. unreached: this time nothing passed there. watched: nobody was to die. */
  readonly end: 'killed' | 'unreached' | 'watched'
  readonly wrong: readonly string[]
  readonly passed: readonly string[]
  /** How many objects of each kind this has made, or taken away. */
  readonly made: Made
  readonly ms: number
}

export type Made = Readonly<Record<string, number>>

export type Acting = {
  readonly rig: Rig
  readonly name: string
  readonly bare: Bare
  readonly action: Action
  readonly wanted: Wanted
  readonly target: Target | undefined
  /** What this action makes when nobody dies; `undefined`: that is to be found out. */
  readonly makes: Made | undefined
}

/** Nothing more comes of an action after so long without a word. */
const quietMs = 250
/** Where looking takes longer than that, the machine is busy: then twice as long is for others. */
const lookAgainMs = 100

export async function act(acting: Acting): Promise<Acted> {
  const { rig, name, action, wanted, target, makes, bare } = acting
  const began = performance.now()
  const before = countKinds(await rig.control.stored())
  const running = [...(await rig.ground.running())]
  // What is killed is not to be found again.
  const outliving = running.filter(([part]) => !target || !rig.ground.endsWith(target.victim, part))
  const runs = new Map(outliving.map(([part, { run }]) => [part, run]))
  const lasting = new Map((await rig.ground.lasting?.())?.map(({ name: each, id }) => [each, id]))
  let revived = Promise.resolve()
  const onHit = (): void => {
    if (!target) return
    revived = rig.ground.revive(target.victim)
    // Told below, to whoever waits for it.
    revived.catch(() => undefined)
  }
  await rig.control.begin(target && { point: target.point, ...(await aimAt(rig, target.victim)) }, onHit)
  const expected = { name, wanted, bare, runs, lasting, stored: makes && add(before, makes) }

  const acknowledged = await askOnce(acting)
  if (!acknowledged && target?.victim !== 'server') {
    await revived
    await askAgain(acting, acknowledged)
  }
  const first = await settle(rig, expected)
  await revived
  const ending = rig.control.ending
  if (first.isGone) {
    await rig.start()
    await askAgain(acting, acknowledged)
  }
  const second = first.isGone ? await settle(rig, expected) : first
  const end = target === undefined ? 'watched' : first.isGone || second.hit ? 'killed' : 'unreached'
  // Only the signal that it sends itself is the death that was asked for.
  const should = target?.victim === 'server' ? 'SIGKILL' : undefined
  const lost = first.isGone && ending !== should ? [`the server has ended by itself: ${ending}`] : []
  const wrong = [...lost, ...second.wrong]
  return {
    action: action.name,
    target,
    end,
    wrong: wrong.length === 0 ? wrong : [...wrong, ...(await circumstances(rig))],
    passed: second.passed,
    made: add(countKinds(await rig.control.stored()), before, -1),
    ms: Math.round(performance.now() - began),
  }
}

async function aimAt({ ground, system }: Rig, victim: Victim): Promise<Omit<Aim, 'point'>> {
  if (victim !== 'server' && victim !== 'edge') return await ground.aimAt(victim)
  const pid = victim === 'server' ? system.pid : Number((await ground.running()).get(edgePart)?.run)
  if (!pid) throw new Error(`there is no ${victim} to be killed`)
  return { pid, signal: 'SIGKILL' }
}

const askedOf = ({ system: { client }, ground: { web, volumes } }: Rig): Asked => ({
  client,
  web,
  ...(volumes !== undefined && { volumes }),
})

/** Whether the server said yes. What it did not answer may have happened or not. */
async function askOnce({ rig, action, name, wanted }: Acting): Promise<boolean> {
  try {
    await action.ask(askedOf(rig), name, wanted)
    return true
  } catch (error) {
    if (isFault(error, 'unavailable')) return false
    throw error
  }
}

/** As a person would who got no answer. What was answered must not have to be asked for again. */
async function askAgain({ rig, action, name, wanted }: Acting, acknowledged: boolean): Promise<void> {
  if (isAsked(await workloadOf(rig, name), wanted)) return
  if (acknowledged) throw new Error(`${action.name} was acknowledged, and is forgotten`)
  await action.ask(askedOf(rig), name, wanted)
}

type Settled = {
  readonly isGone: boolean
  readonly hit: boolean
  readonly wrong: readonly string[]
  readonly passed: readonly string[]
}

/** Waits until all is well and stays so, or until the server is gone, or until it has had enough time. */
async function settle(rig: Rig, expected: Expected): Promise<Settled> {
  const end = Date.now() + rig.ground.patienceMs
  let wrong: readonly string[] = ['nothing was seen of it']
  for (;;) {
    const began = performance.now()
    let leastMs = lookAgainMs
    try {
      wrong = await whatIsWrong(rig, expected)
      const { hit, passed, quietMs: quiet } = await rig.control.report()
      const isOver = Date.now() > end
      if (isOver || (wrong.length === 0 && quiet >= quietMs)) return { isGone: false, hit, wrong, passed }
      // To look before it can have been quiet for long enough would only keep others busy.
      if (wrong.length === 0) leastMs = Math.max(lookAgainMs, quietMs - quiet)
    } catch (error) {
      if (rig.control.isGone) return { isGone: true, hit: true, wrong, passed: [] }
      if (Date.now() > end) throw error
    }
    const pauseMs = Math.max(leastMs, 2 * (performance.now() - began))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function add(left: Made, right: Made, factor = 1): Made {
  const kinds = new Set([...Object.keys(left), ...Object.keys(right)])
  const sums = [...kinds].map((kind) => [kind, (left[kind] ?? 0) + factor * (right[kind] ?? 0)] as const)
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0))
}

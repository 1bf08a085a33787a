/** One action on a workload with a death in the middle of it, and whether all came to what was asked for. */
import { isFault } from '@gantry/core'
import type { Action, ActionName, Wanted } from './actions.ts'
import { isAsked } from './actions.ts'
import { supervised } from './looking.ts'
import type { Rig } from './rig.ts'
import { type Bare, countKinds, whatIsWrong, workloadOf } from './verdict.ts'

export type Victim = 'server' | 'supervisor' | 'edge'

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

const patienceMs = 60_000
/** Nothing more comes of an action after so long without a word. */
const quietMs = 250
const lookAgainMs = 100

export async function act(acting: Acting): Promise<Acted> {
  const { rig, name, action, wanted, target, makes, bare } = acting
  const began = performance.now()
  const before = countKinds(await rig.control.stored())
  const processes = await supervised(rig.supervisor)
  const pids = new Map([...processes].flatMap(([id, { pid }]) => (pid === undefined ? [] : [[id, pid] as const])))
  const victim = target && (await pidOf(rig, target.victim, pids))
  // What is killed is not to be found again.
  if (target?.victim === 'edge') pids.delete('gantry-edge')
  await rig.control.begin(target && victim !== undefined ? { point: target.point, pid: victim } : undefined)
  const expected = { name, wanted, bare, pids, stored: makes && add(before, makes) }

  const acknowledged = await askOnce(acting)
  const whole = { rig, expected }
  const first = await settle(whole)
  if (first.isGone) {
    await rig.start()
    await askAgain(acting, acknowledged)
  }
  const second = first.isGone ? await settle(whole) : first
  const end = target === undefined ? 'watched' : first.isGone || second.hit ? 'killed' : 'unreached'
  const lost = first.isGone && target?.victim !== 'server' ? ['the server has ended too'] : []
  return {
    action: action.name,
    target,
    end,
    wrong: [...lost, ...second.wrong],
    passed: second.passed,
    made: add(countKinds(await rig.control.stored()), before, -1),
    ms: Math.round(performance.now() - began),
  }
}

async function pidOf(rig: Rig, victim: Victim, pids: ReadonlyMap<string, number>): Promise<number | undefined> {
  if (victim === 'server') return rig.system.pid
  if (victim === 'edge') return pids.get('gantry-edge')
  return (await rig.supervisor.info({ signal: AbortSignal.timeout(30_000) })).pid
}

/** Whether the server said yes. What it did not answer may have happened or not. */
async function askOnce({ rig, action, name, wanted }: Acting): Promise<boolean> {
  try {
    await action.ask(rig.system.client, name, wanted)
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
  await action.ask(rig.system.client, name, wanted)
}

type Settled = {
  readonly isGone: boolean
  readonly hit: boolean
  readonly wrong: readonly string[]
  readonly passed: readonly string[]
}

/** Waits until all is well and stays so, or until the server is gone, or until it has had enough time. */
async function settle({
  rig,
  expected,
}: {
  readonly rig: Rig
  readonly expected: Parameters<typeof whatIsWrong>[1]
}): Promise<Settled> {
  const end = Date.now() + patienceMs
  let wrong: readonly string[] = ['nothing was seen of it']
  for (;;) {
    try {
      wrong = await whatIsWrong(rig, expected)
      const { hit, passed, quietMs: quiet } = await rig.control.report()
      const isOver = Date.now() > end
      if (isOver || (wrong.length === 0 && quiet >= quietMs)) return { isGone: false, hit, wrong, passed }
    } catch (error) {
      if (rig.control.isGone) return { isGone: true, hit: true, wrong, passed: [] }
      if (Date.now() > end) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
}

function add(left: Made, right: Made, factor = 1): Made {
  const kinds = new Set([...Object.keys(left), ...Object.keys(right)])
  const sums = [...kinds].map((kind) => [kind, (left[kind] ?? 0) + factor * (right[kind] ?? 0)] as const)
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0))
}

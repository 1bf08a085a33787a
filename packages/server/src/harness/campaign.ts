/** Watches what there is to pass, then tries deaths there, a few lives at a time, and tells how each one went. */
import type { Acted, Made } from './act.ts'
import type { ActionName } from './actions.ts'
import type { KindOfLife } from './kinds-of-life.ts'
import { live, wholeLife } from './life.ts'
import { Schedule } from './schedule.ts'
import { type Aimed, targetName } from './targets.ts'
import type { Workshop } from './workshop.ts'

export type Seen = {
  readonly passed: ReadonlyMap<ActionName, ReadonlySet<string>>
  readonly makes: ReadonlyMap<ActionName, Made>
}

export const nothingSeen: Seen = { passed: new Map(), makes: new Map() }

export type Watching = { readonly tell?: (acted: Acted) => void; readonly atOnce?: number }

export type Tried = {
  readonly target: Aimed
  readonly end: 'passed' | 'unreached' | 'failed'
  readonly why: readonly string[]
  readonly ms: number
}

/** As many lives as a machine of two cores carries without their waits running out. */
export const livesAtOnce = 2
/** Not every run passes everywhere: how often a point is waited for. */
const tries = 3

/** All that is passed in so many whole lives of each kind without a death. */
export async function watchLives(
  workshop: Workshop,
  kinds: readonly KindOfLife[],
  lives: number,
  { tell = () => undefined, atOnce = livesAtOnce }: Watching = {},
): Promise<Seen> {
  const passed = new Map<ActionName, Set<string>>()
  const makes = new Map<ActionName, Made>()
  const left = Array.from({ length: lives }, () => kinds).flat()
  const worker = async (): Promise<void> => {
    for (let kind = left.pop(); kind && !workshop.isOver; kind = left.pop()) {
      const life = wholeLife(kind)
      await workshop.use(async (rig, bare) => {
        for await (const acted of live({ rig, bare, makes: new Map() }, life)) {
          if (acted.wrong.length > 0) throw new Error(`${acted.action} does not work: ${acted.wrong.join('; ')}`)
          passed.set(acted.action, new Set([...(passed.get(acted.action) ?? []), ...acted.passed]))
          makes.set(acted.action, acted.made)
          tell(acted)
          if (workshop.isOver) break
        }
        return { result: undefined, isSound: !workshop.isOver }
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { passed, makes }
}

export async function tryAll(
  workshop: Workshop,
  { makes }: Pick<Seen, 'makes'>,
  targets: readonly Aimed[],
  tell: (tried: Tried) => void,
  atOnce = livesAtOnce,
): Promise<readonly Tried[]> {
  const schedule = new Schedule(targets)
  const all: Tried[] = []
  const unreached = new Map<string, number>()

  const take = (target: Aimed, { end, wrong, ms }: Pick<Acted, 'end' | 'wrong' | 'ms'>): void => {
    const name = targetName(target)
    const times = (unreached.get(name) ?? 0) + 1
    if (end === 'unreached' && wrong.length === 0 && times < tries) {
      unreached.set(name, times)
      schedule.add(target)
      return
    }
    const tried: Tried = {
      target,
      end: wrong.length > 0 ? 'failed' : end === 'unreached' ? 'unreached' : 'passed',
      why: wrong,
      ms,
    }
    all.push(tried)
    tell(tried)
  }

  const worker = async (): Promise<void> => {
    for (let tasks = schedule.next(); tasks && !workshop.isOver; tasks = schedule.next()) {
      const life = tasks
      await workshop.use(async (rig, bare) => {
        let done = 0
        let isSound = true
        try {
          for await (const acted of live({ rig, bare, makes }, life)) {
            done += 1
            const { target, action, wrong } = acted
            if (wrong.length > 0) isSound = false
            if (target) take({ ...target, action }, acted)
            else if (!isSound) throw new Error(`${action} without a death: ${wrong.join('; ')}`)
            if (workshop.isOver) {
              isSound = false
              break
            }
          }
        } catch (error) {
          isSound = false
          const task = life[done]
          done += 1
          const wrong = [`${error instanceof Error ? error.message : error}\n${rig.system.output().slice(-2000)}`]
          const { action, target = { point: 'nothing', victim: 'server' } } = task ?? {}
          if (action) take({ ...target, action: action.name }, { end: 'killed', wrong, ms: 0 })
        }
        // What was not come to is tried in another life.
        for (const { action, target } of life.slice(done)) {
          if (target) schedule.add({ ...target, action: action.name })
        }
        return { result: undefined, isSound }
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return all
}

import { describe, expect, it } from 'vitest'
import { actionsOf, kindsOfLife } from './kinds-of-life.ts'
import { Schedule } from './schedule.ts'
import { type Aimed, allTargets, inSample, sampleFrom, shuffled, targetFrom, targetName } from './targets.ts'

const actions = kindsOfLife.flatMap(actionsOf).map(({ name }) => name)
const points = Array.from({ length: 30 }, (_, at) => `step #${at + 1}`)
const all = allTargets('local', new Map(actions.map((action) => [action, new Set(points)])))
const samples = 10
const names = (targets: readonly Aimed[]): string[] => targets.map(targetName).toSorted()

describe('the deaths to be tried', () => {
  it('are one of the server at each point, and a few of those that outlive it', () => {
    const of = (victim: string) => all.filter((target) => target.victim === victim).length
    expect([of('server'), of('supervisor'), of('edge')]).toEqual([30, 3, 3].map((each) => each * actions.length))
  })

  it('are one of the daemon at the first of each of its calls, where there is one', () => {
    const passed = ['docker.containers.start before #1', 'docker.containers.start before #2', 'store create Release #1']
    const daemon = allTargets('docker', new Map([['create', new Set(passed)]])).filter(
      ({ victim }) => victim === 'daemon',
    )
    expect(names(daemon)).toEqual(['create: docker.containers.start before #1: daemon'])
  })

  it('are known again by their names', () => {
    expect(all.map((target) => targetFrom(targetName(target)))).toEqual(all)
    expect(() => targetFrom('dance: step #1: server')).toThrow('is not the name of a target')
  })

  it('have a sample each, the same whatever else is tried', () => {
    const sampled = Array.from({ length: samples }, (_, sample) => inSample(all, sample, samples))
    expect(names(sampled.flat())).toEqual(names(all))
    const few = all.filter((_, at) => at % 7 === 0)
    expect(names(inSample(few, 3, samples))).toEqual(names(few.filter((target) => sampled[3]?.includes(target))))
  })
})

describe('a sample', () => {
  it.each([
    ['3', [3, 100]],
    ['3/20', [3, 20]],
  ])('is asked for as %s', (text, asked) => {
    expect(sampleFrom(text, 'kubernetes')).toEqual(asked)
  })

  it.each(['', 'three', '3/0', '3/', '-1', '1/2/3'])('is not asked for as %j', (text) => {
    expect(() => sampleFrom(text, 'kubernetes')).toThrow('is no sample')
  })
})

describe('the order of deaths', () => {
  it('is the same in every run, with some of every action at its beginning', () => {
    const order = shuffled(all)
    expect(names(order)).toEqual(names(all))
    expect(shuffled(all.toReversed())).toEqual(order)
    const first = new Set(order.slice(0, all.length / 4).map(({ action }) => action))
    expect([...first].toSorted()).toEqual(actions.toSorted())
  })

  it('begins with what an engine is asked, and with deaths of others', () => {
    const passed = ['store create Release #1', 'edge.put before #1', 'kubernetes.apply Secret after #1']
    const order = shuffled(allTargets('kubernetes', new Map([['create', new Set(passed)]])))
    const isRest = order.map(({ victim, point }) => victim === 'server' && !point.startsWith('kubernetes.'))
    expect(isRest).toEqual([...isRest].toSorted())
    expect(isRest.filter((each) => each)).toHaveLength(2)
  })
})

describe('a schedule', () => {
  it('has every death in one life, made first and removed last, and changed back after each change', () => {
    const schedule = new Schedule(all)
    const tried: Aimed[] = []
    for (let life = schedule.next(); life; life = schedule.next()) {
      const order = life.map(({ action }) => action.name)
      const kind = kindsOfLife.find(({ outer: [first] }) => first.name === order[0])
      expect(kind?.outer.map(({ name }) => name)).toEqual([order[0], order.at(-1)])
      const middle = order.slice(1, -1)
      for (let at = 0; at < middle.length; at += 2) {
        expect(kind?.inner.map((pair) => pair.map(({ name }) => name))).toContainEqual(middle.slice(at, at + 2))
      }
      tried.push(...life.flatMap(({ action, target }) => (target ? [{ ...target, action: action.name }] : [])))
    }
    expect(names(tried)).toEqual(names(all))
  })

  it('has tried as much of every action as of any other when it is ended early', () => {
    const uneven = actions.flatMap((action, at) =>
      Array.from({ length: 10 + 5 * at }, (_, step): Aimed => ({ action, point: `step #${step}`, victim: 'server' })),
    )
    const schedule = new Schedule(uneven)
    const tried = new Map<string, number>()
    for (let count = 0; count < uneven.length / 2; ) {
      for (const { action, target } of schedule.next() ?? []) {
        if (!target) continue
        tried.set(action.name, (tried.get(action.name) ?? 0) + 1)
        count += 1
      }
    }
    const inner = new Set(kindsOfLife.flatMap((kind) => kind.inner.flat().map(({ name }) => name)))
    const shares = actions.flatMap((action, at) =>
      inner.has(action) ? [(tried.get(action) ?? 0) / (10 + 5 * at)] : [],
    )
    expect(Math.min(...shares)).toBeGreaterThan(0.3)
    expect(Math.max(...shares)).toBeLessThan(0.7)
  })

  it('tries again what is given back', () => {
    const [first] = all
    if (!first) throw new Error('there are targets')
    const schedule = new Schedule([])
    expect(schedule.next()).toBeUndefined()
    schedule.add(first)
    expect(schedule.next()?.map(({ target }) => target?.point)).toEqual(['step #1', undefined])
  })
})

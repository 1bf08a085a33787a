import { describe, expect, it } from 'vitest'
import { coloured, plain } from '../output/style.ts'
import { width } from '../output/table.ts'
import { failureLines } from './failure.ts'
import type { Instance } from './picture.ts'
import { replicaSight, sightOf } from './sight.ts'
import { at, epoch, goal, instance, picture, replica, rollout, workload } from './testing/samples.ts'
import { changeLines, cut, progressLines } from './view.ts'

const rolling = { said: { Progressing: ['True', 'rolling_out', 'Rolling out v2'] } } as const
const now = epoch + 30_000
const size = { columns: 80, rows: 24 }

function canary(replicas: readonly unknown[]) {
  const newest = rollout(
    {
      phase: 'progressing',
      weights: { a: 90, b: 10 },
      candidate: 'b',
      waitingOn: 'person',
      waitingFor: 'someone to promote it',
      since: at(22),
    },
    { strategy: { type: 'canary' } },
  )
  const instances: Instance[] = [
    instance([replica(0, { release: 'v1' })], {}, { slot: 'a' }),
    instance(replicas, {}, { slot: 'b' }),
  ]
  return sightOf(goal, picture({ workload: workload(rolling), rollout: newest, instances }))
}

describe('progress in a terminal', () => {
  it('says what is done, what is waited for and since when, and how each replica is', () => {
    const crashed = { phase: 'crashed', ready: false, exitCode: 3, restarts: 2 }
    const sight = canary([replica(0), replica(1, { ready: false }, crashed)])
    expect(progressLines([sight], now, size, plain)).toEqual([
      '… web  v2 rolls out, 10% of requests, 2 of 2 ready',
      '    waiting for someone to promote it, since 8s',
      '    go on with "gantry rollout promote web"',
      '    a/0  v1  ready     30s',
      '    b/0  v2  ready     30s',
      '    b/1  v2  crashed   29s  web crashed (exit code 3, restarted 2 times)',
    ])
  })

  it('says how far a pull is', () => {
    const message = 'pulling web:1.2: 12 of 48 MB, 3 of 5 layers'
    const sight = canary([
      replica(0, { ready: false }, { phase: 'pulling', ready: false, message, startedAt: undefined }),
    ])
    expect(progressLines([sight], now, { ...size, columns: 120 }, plain).at(-1)).toBe(
      '    b/0  v2  pulling     -  web pulling web:1.2: 12 of 48 MB, 3 of 5 layers',
    )
  })

  it('is never wider or higher than the screen', () => {
    const many = canary(
      Array.from({ length: 40 }, (_, index) => replica(index, { ready: index > 3 ? true : undefined })),
    )
    const lines = progressLines([many], now, { columns: 40, rows: 12 }, plain)
    expect(lines).toHaveLength(10)
    expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(40)
    expect(lines.at(-1)).toBe('    and 35 more')
    expect(lines.filter((line) => line.includes('unknown'))).toHaveLength(4)
  })

  it('tells first of those that want looking at, where there are more workloads than lines', () => {
    const done = sightOf(goal, picture({ workload: workload(), rollout: rollout() }))
    const sights = Array.from({ length: 30 }, (_, number) => ({ ...done, name: `w${number}` }))
    const lines = progressLines([...sights, canary([])], now, { columns: 80, rows: 10 }, plain)
    expect(lines).toHaveLength(8)
    expect(lines.at(-2)).toMatch(/^… web/)
    expect(lines.at(-1)).toBe('and 24 more')
  })

  it('has the same letters with colours', () => {
    const sight = canary([replica(0)])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of these
    const without = progressLines([sight], now, size, coloured).map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))
    expect(without).toEqual(progressLines([sight], now, size, plain))
  })

  it('shows the letters of others, and not what they would do to the screen', () => {
    const message = 'up\u001b[2J\ngone'
    const seen = workload({ said: { ...rolling.said, Degraded: ['True', 'rollout_stalled', message] } })
    const sight = sightOf(goal, picture({ workload: seen, rollout: rollout({ phase: 'rolled_back' }) }))
    expect(progressLines([sight], now, size, plain).join('')).not.toContain('\u001b')
  })
})

describe('progress through a pipe', () => {
  it('is a line for each change of state, and none for time that passes', () => {
    const before = canary([replica(0, { ready: false }, { phase: 'starting' })])
    const after = canary([replica(0)])
    expect(changeLines([], [before])).toEqual([
      'web: v2 rolls out, 10% of requests; waiting for someone to promote it; go on with "gantry rollout promote web"',
      'web a/0 v1: ready',
      'web b/0 v2: starting: web starting',
    ])
    expect(changeLines([before], [after])).toEqual(['web b/0 v2: ready'])
    expect(changeLines([after], [after])).toEqual([])
  })

  it('does not count the bytes of a pull', () => {
    const pulling = (message: string) => canary([replica(0, { ready: false }, { phase: 'pulling', message })])
    const [early, late] = [pulling('pulling web:1: 1 of 9 MB'), pulling('pulling web:1: 2 of 9 MB')]
    expect(changeLines([], [early]).at(-1)).toBe('web b/0 v2: pulling: web pulling')
    expect(changeLines([early], [late])).toEqual([])
  })
})

describe('a failure', () => {
  it('is told with who ended, how, and its last words', () => {
    const failure = {
      reason: 'x',
      message: 'y',
      at: at(0),
      service: 'web',
      replica: 1,
      exitCode: 3,
      logTail: ['a', 'b\u0007'],
    }
    expect(failureLines(rollout({ phase: 'failed', failure }), plain)).toEqual([
      'The last lines of service web of replica 1 of v2 of web, exit code 3:',
      '  | a',
      '  | b ',
    ])
    expect(failureLines(rollout({ phase: 'failed' }), plain)).toEqual([])
  })
})

describe('a line that is too long', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['日本語', 5, '日本…'],
    ['日本語', 6, '日本語'],
  ])('%s in %d columns is %s', (text, columns, shown) => {
    expect(cut(text, columns)).toBe(shown)
  })
})

describe('what others wrote', () => {
  const objects = (open: number) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `deployment/d${at}`,
        {
          role: at === 0 ? 'main' : 'sidecar',
          phase: at < open ? 'starting' : 'running',
          ready: at >= open,
          restarts: 0,
        },
      ]),
    )
  const told = (open: number) =>
    replicaSight('a', replica(0, { ready: open === 0, services: objects(open) }) as never, false)

  it('is told by what is not ready yet, and how many are', () => {
    expect(told(2).services).toBe('deployment/d0 starting, deployment/d1 starting, 18 of 20 objects ready')
    expect(told(6).services).toMatch(/^deployment\/d0 starting, .*d3 starting, 2 more, 14 of 20 objects ready$/)
    expect(told(0)).toMatchObject({ state: 'ready', services: '' })
  })
})

import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { PodFigures } from './pod-figures.ts'

const never = { signal: new AbortController().signal }

function figures(answer: () => Promise<unknown>) {
  const asked: string[] = []
  let now = 0
  const api = {
    raw: async (path: string) => {
      asked.push(path)
      return (await answer()) as never
    },
  }
  const clock = { monotonic: () => now } as never
  const of = new PodFigures({ api, clock, installation: 'i', life: never })
  return {
    asked,
    of,
    later: (ms: number) => {
      now += ms
    },
  }
}

const metrics = (name: string) => ({ metadata: { name }, timestamp: '2026-11-17T10:00:00Z', containers: [] })

describe('what pods of a namespace use', () => {
  it('is asked for once for all who want to know within a few seconds, of those that are ours', async () => {
    const { of, asked, later } = figures(async () => ({ items: [metrics('web-1'), metrics('db-1')] }))
    const all = await Promise.all([
      of.of('one', [{ name: 'web-1' }, { name: 'new' }], never),
      of.of('one', [{ name: 'db-1' }], never),
    ])
    expect(all.map((each) => each.map(({ metadata }) => metadata.name))).toEqual([['web-1'], ['db-1']])
    expect(asked).toEqual([
      '/apis/metrics.k8s.io/v1beta1/namespaces/one/pods?labelSelector=gantry.dev%2Finstallation%3Di',
    ])
    await of.of('two', [], never)
    later(4_999)
    await of.of('one', [], never)
    expect(asked).toHaveLength(2)
    later(1)
    await of.of('one', [], never)
    expect(asked).toHaveLength(3)
  })

  it('is nothing where the cluster has none', async () => {
    expect(await figures(async () => undefined).of.of('one', [{ name: 'web-1' }], never)).toEqual([])
  })

  it('fails for all who wait for an answer that fails, and is asked for again later', async () => {
    let isDown = true
    const { of, later } = figures(async () => {
      if (isDown) throw new Fault('engine_unreachable', 'away')
      return { items: [metrics('web-1')] }
    })
    for (let at = 0; at < 2; at += 1) {
      await expect(of.of('one', [], never)).rejects.toMatchObject({ reason: 'engine_unreachable' })
    }
    isDown = false
    later(5_000)
    expect(await of.of('one', [{ name: 'web-1' }], never)).toHaveLength(1)
  })

  it('lets a caller leave, and leaves the question to the others', async () => {
    const caller = new AbortController()
    const { of, asked } = figures(() => new Promise((resolve) => setImmediate(() => resolve({ items: [] }))))
    const left = of.of('one', [], caller)
    const other = of.of('one', [], never)
    caller.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect(await other).toEqual([])
    expect(asked).toHaveLength(1)
  })
})

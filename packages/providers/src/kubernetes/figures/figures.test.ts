import { describe, expect, it } from 'vitest'
import type { NodeSeen, PodSeen } from '../observe/seen.ts'
import { pod, trimming } from '../observe/testing/objects.ts'
import { podSeen } from '../observe/trim.ts'
import { capacityOf, gpusOffered } from './capacity.ts'
import { type PodMetrics, usageOf } from './usage.ts'

const mebi = 2 ** 20
const at = '2026-11-17T10:00:00Z'

const limits = { cpu: '500m', memory: '64Mi' }

const one = (name: string, more: Partial<PodSeen> = {}, limited = true): PodSeen => {
  const containers = [{ name: 'web', resources: limited ? { limits } : {} }]
  const seen = podSeen(pod({ name, spec: { containers } }), trimming)
  if (!seen) throw new Error('not ours')
  return { ...seen, ...more }
}

const metrics = (name: string, ...usage: { cpu?: string; memory?: string }[]): PodMetrics => ({
  metadata: { name },
  timestamp: at,
  containers: usage.map((each) => ({ usage: each })),
})

describe('what an instance uses', () => {
  it('is summed over containers and pods, with what it may use', () => {
    const measured = [
      metrics('web-1', { cpu: '100m', memory: '8Mi' }, { cpu: '25000000n', memory: '4Mi' }),
      metrics('web-2', { cpu: '125m', memory: '12Mi' }),
    ]
    expect(usageOf([one('web-1'), one('web-2')], measured, 0)).toEqual({
      at: new Date(at),
      cpuMillis: 250,
      cpuPercent: 25,
      memoryBytes: 24 * mebi,
      memoryLimitBytes: 128 * mebi,
      replicas: [
        { engineId: 'gantry-acme/web-1/uid-web-1', cpuMillis: 125, memoryBytes: 12 * mebi },
        { engineId: 'gantry-acme/web-2/uid-web-2', cpuMillis: 125, memoryBytes: 12 * mebi },
      ],
    })
  })

  it('has no figures that nobody has, and no limit where one pod has none', () => {
    expect(usageOf([one('web-1')], [], 7)).toEqual({ at: new Date(7), memoryLimitBytes: 64 * mebi })
    expect(usageOf([one('web-1'), one('web-2', {}, false)], [], 7)).toEqual({ at: new Date(7) })
  })

  it('is told for each replica only where it is known of all of them', () => {
    const usage = usageOf([one('web-1'), one('web-2')], [metrics('web-1', { cpu: '1', memory: '1Mi' })], 7)
    expect([usage?.cpuMillis, usage?.replicas]).toEqual([1000, undefined])
  })

  it('is nothing where nothing runs', () => {
    expect(usageOf([], [], 7)).toBeUndefined()
    expect(usageOf([one('web-1', { deleting: true })], [metrics('web-1', { cpu: '1' })], 7)).toBeUndefined()
  })
})

describe('what a cluster has room for', () => {
  const node = (more: Partial<NodeSeen> = {}): NodeSeen => ({
    name: 'n',
    resourceVersion: '1',
    ready: true,
    address: undefined,
    allocatable: { cpu: '3920m', memory: '7Gi', 'nvidia.com/gpu': '2' },
    schedulable: true,
    ...more,
  })

  it('is what nodes that are well and take pods offer', () => {
    const nodes = [node(), node(), node({ ready: false }), node({ schedulable: false })]
    expect(capacityOf(nodes, { now: () => 7 })).toEqual({
      at: new Date(7),
      cpuMillis: { total: 7840 },
      memoryBytes: { total: 14 * 1024 * mebi },
      gpus: { total: 4 },
    })
  })

  it('says nothing of what is not known', () => {
    expect(capacityOf([], { now: () => 7 })).toEqual({ at: new Date(7) })
    expect([gpusOffered([node()]), gpusOffered([node({ allocatable: { 'nvidia.com/gpu': '0' } })])]).toEqual([
      ['nvidia.com/gpu'],
      [],
    ])
  })
})

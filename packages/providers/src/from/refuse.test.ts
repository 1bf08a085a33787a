import { type Capability, isFault, workloadKind } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { nearestWay } from '../capabilities.ts'
import { desiredFor } from '../contract/desired-for.ts'
import type { Engine } from '../engine.ts'
import { refuseUnsupported } from './refuse.ts'

const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const
const engine = (paths: readonly string[] = []) =>
  ({ type: 'small', check: () => paths.map((path) => ({ path, message: 'is not here' })) }) as unknown as Engine

const spec = workloadKind.parse({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'web' },
  spec: {
    strategy: { type: 'canary' },
    services: [
      {
        name: 'web',
        image: 'app:1',
        resources: { gpu: { count: 1 } },
        volumes: [{ name: 'data', path: '/data', type: 'persistent' }],
      },
    ],
  },
}).spec

const chart = workloadKind.parse({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'web' },
  spec: { source: { helm: { chart: { path: '/charts/web' } } } },
}).spec

const refusal = (paths?: readonly string[], offered: readonly ('gpu' | 'volumes' | 'strategy:canary')[] = []) => {
  try {
    refuseUnsupported(engine(paths), new Set(offered), desiredFor('here', ref, spec), spec.strategy)
    return undefined
  } catch (error) {
    return isFault(error) ? error : undefined
  }
}

describe('what cannot be honoured', () => {
  it('is refused all at once, each with its path and the nearest way', () => {
    const fault = refusal()
    expect([fault?.reason, fault?.kind]).toEqual(['capability_missing', 'unsupported'])
    expect(fault?.issues.map(({ path }) => path)).toEqual([
      'spec.strategy.type',
      'spec.services[0].volumes[0].type',
      'spec.services[0].resources.gpu',
    ])
    expect(fault?.issues[0]?.message).toContain('strategies it has: recreate')
  })

  it('is refused by the engine’s own check too, without naming a path twice', () => {
    const fault = refusal(['spec.services[0].user', 'spec.services[0].resources.gpu'])
    expect(fault?.reason).toBe('field_unsupported')
    expect(fault?.issues.map(({ path }) => path)).toEqual([
      'spec.strategy.type',
      'spec.services[0].volumes[0].type',
      'spec.services[0].resources.gpu',
      'spec.services[0].user',
    ])
  })

  it('is nothing where everything is offered', () => {
    expect(refusal([], ['gpu', 'volumes', 'strategy:canary'])).toBeUndefined()
  })

  it('is a source that an engine does not have, which it is not asked about any further', () => {
    const ask = (offered: readonly Capability[]) => () =>
      refuseUnsupported(
        engine(['spec.source.helm.chart']),
        new Set(offered),
        desiredFor('here', ref, chart),
        chart.strategy,
      )
    expect(ask(['strategy:rolling'])).toThrow(/spec\.source\.helm: needs source:helm.*; describe the workload by its/)
    expect(ask(['strategy:rolling'])).not.toThrow(/spec\.source\.helm\.chart/)
    expect(ask(['strategy:rolling', 'source:helm'])).toThrow(/spec\.source\.helm\.chart: is not here/)
  })

  it('has a nearest way for each', () => {
    expect(nearestWay('strategy:canary', new Set(['strategy:rolling']))).toBe('strategies it has: rolling, recreate')
    expect(nearestWay('autoscale', new Set())).toContain('scale')
    expect(nearestWay('provision', new Set())).toContain('choose a provider')
  })
})

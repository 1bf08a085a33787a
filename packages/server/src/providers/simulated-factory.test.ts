import { kinds } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { leaveAtOnce } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { simulatedFactory } from './simulated-factory.ts'

const call = { signal: new AbortController().signal }

describe('the factory of simulated engines', () => {
  it('opens an engine for a Provider, and stops for the reason of whoever asked', async () => {
    const manifest = {
      apiVersion: 'gantry/v1',
      kind: 'Provider',
      metadata: { name: 'here' },
      spec: { type: 'simulated' },
    }
    const { spec } = kinds.Provider.parse(manifest)
    const secrets = { resolve: () => Promise.reject(new Error('it names none')) }
    const wish = { name: 'here', spec, installation: 'i', clock: new VirtualClock(), leaving: leaveAtOnce, secrets }
    const open = simulatedFactory()
    expect((await open(wish, call)).engine.type).toBe('simulated')
    const reason = new Error('gone')
    await expect(open(wish, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

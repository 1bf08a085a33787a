import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { Observed, ServicePhase } from '../observed.ts'
import type { Ref } from '../ref.ts'
import { soonReady } from './soon-ready.ts'
import type { SiteEvent, TendedSite } from './tended-site.ts'

const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' }

/** Only what is looked at. */
function starting(phase: ServicePhase, ready = false) {
  const clock = new VirtualClock(0)
  const listeners = new Set<(event: SiteEvent) => void>()
  let now = { phase, ready }
  const observed = (): Partial<Observed> => ({
    replicas: [{ ready: now.ready, terminating: false, services: { web: { phase: now.phase } } }] as never,
  })
  const site = {
    clock,
    observed,
    listen: (listener: (event: SiteEvent) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as TendedSite
  const becomes = (next: ServicePhase, isReady: boolean): void => {
    now = { phase: next, ready: isReady }
    for (const listener of listeners) listener({ type: 'changed', ref })
  }
  return { clock, site, becomes, listeners }
}

const call = { signal: new AbortController().signal }

describe('a pass that has started something', () => {
  it('goes on when all of it is ready', async () => {
    const { site, becomes, listeners } = starting('starting')
    const waiting = soonReady(site, ref, call)
    becomes('running', true)
    expect([await waiting, listeners.size]).toEqual([true, 0])
  })

  it('goes on when the moment is over', async () => {
    const { clock, site, listeners } = starting('starting')
    const waiting = soonReady(site, ref, call)
    await clock.advance(300)
    expect([await waiting, listeners.size]).toEqual([false, 0])
  })

  it('does not wait for what has crashed', async () => {
    const { site, becomes } = starting('starting')
    const waiting = soonReady(site, ref, call)
    becomes('crashed', false)
    expect(await waiting).toBe(false)
  })

  it('does not wait for an engine that is lost', async () => {
    const { site, listeners } = starting('starting')
    const waiting = soonReady(site, ref, call)
    const fault = new Fault('engine_unreachable', 'gone')
    for (const listener of listeners) listener({ type: 'lost', fault })
    expect([await waiting, listeners.size]).toEqual([false, 0])
  })

  it('leaves with the reason of whoever asked', async () => {
    const { site, listeners } = starting('starting')
    const stop = new AbortController()
    const waiting = soonReady(site, ref, stop)
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(listeners.size).toBe(0)
  })
})

import { type HealthCheckSpec, onAbort } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type Finding, type Look, unwell, well } from './look.ts'
import { Prober, type ProberParts } from './prober.ts'

const check: HealthCheckSpec = {
  tcp: { port: 'http' },
  intervalSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 2,
  startSeconds: 5,
  onUnhealthy: 'drain',
}
const probers: Prober[] = []

afterEach(() => {
  for (const prober of probers.splice(0)) prober.stop()
})

function probing(look: Look, more: Partial<ProberParts> = {}) {
  const clock = new VirtualClock(0)
  const told: string[] = []
  const prober = new Prober({
    check,
    look,
    clock,
    random: () => 0.5,
    startedAt: 0,
    adopted: false,
    onChange: () => told.push(`ready: ${prober?.ready}`),
    onFailing: () => told.push('failing'),
    ...more,
  })
  probers.push(prober)
  return { clock, prober, told }
}

/** Well while the condition holds; counts how often it was asked. */
function asked(isWell: () => boolean) {
  const counter = { looks: 0 }
  const look: Look = async (): Promise<Finding> => {
    counter.looks += 1
    return isWell() ? well : unwell('no')
  }
  return { look, counter }
}

describe('a prober', () => {
  it('looks quickly until the first success, then in its interval', async () => {
    let up = false
    const { look, counter } = asked(() => up)
    const { clock, prober } = probing(look)
    await clock.advance(1000)
    expect([counter.looks, prober.ready]).toEqual([30, false])
    up = true
    await clock.advance(10)
    expect([prober.ready, prober.readySince]).toEqual([true, 1010])
    await clock.advance(9999)
    expect(counter.looks).toBe(31)
    await clock.advance(1)
    expect(counter.looks).toBe(32)
  })

  it('tells each change once, and failing once', async () => {
    let up = true
    const { clock, told, prober } = probing(asked(() => up).look)
    await clock.advance(0)
    up = false
    await clock.advance(40_000)
    expect(told).toEqual(['ready: true', 'ready: false', 'failing'])
    expect(prober.message).toBe('fails its health check: no')
  })

  it('does not tell that one is not up yet before it could be, and then once', async () => {
    const { clock, told, prober } = probing(asked(() => false).look)
    await clock.advance(999)
    expect([told, prober.message]).toEqual([[], undefined])
    await clock.advance(2000)
    expect([told, prober.message]).toEqual([['ready: false'], 'has not passed its health check yet: no'])
  })

  it('takes a look without an answer for a failure that says so', async () => {
    const { clock, prober } = probing(
      ({ signal }) => new Promise((_, reject) => onAbort(signal, () => reject(signal.reason))),
    )
    await clock.advance(1000)
    expect(prober.message).toBe('has not passed its health check yet: no answer within 1 s')
  })

  it('does not know of one that ran before, until it has looked', async () => {
    let answer: (finding: Finding) => void = () => undefined
    const { clock, prober } = probing(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      { adopted: true },
    )
    expect(prober.ready).toBeUndefined()
    answer(well)
    await clock.advance(0)
    expect(prober.ready).toBe(true)
  })

  it('is silent after it was stopped', async () => {
    const { look, counter } = asked(() => true)
    const { clock, prober, told } = probing(look)
    await clock.advance(0)
    prober.stop()
    await clock.advance(100_000)
    expect([counter.looks, told]).toEqual([1, ['ready: true']])
  })
})

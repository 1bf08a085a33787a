import { expect, it } from 'vitest'
import { Counter } from './counter.ts'
import { latencyBounds } from './figures.ts'

it('counts what began, how it ended, and how long the answers took', () => {
  const counter = new Counter()
  for (let turn = 0; turn < 5; turn++) counter.began()
  counter.answered(204, 1)
  counter.answered(101, 1.5)
  counter.answered(503, 99_999)
  counter.failed('reset')
  const counts = counter.read()
  expect(counts).toMatchObject({
    requests: 4,
    inFlight: 1,
    answers: [1, 1, 0, 0, 1],
    failures: { reset: 1, connect: 0 },
  })
  expect(counts.latency).toHaveLength(latencyBounds.length + 1)
  expect([counts.latency[0], counts.latency[1], counts.latency.at(-1)]).toEqual([1, 1, 1])
  expect(counts.latencySumMs).toBe(100_001.5)
})

import { type Clock, deferred, systemClock } from '@gantry/core'
import { afterEach, describe, expect, it } from 'vitest'
import { backend, type TestBackend } from '../testing/backend.ts'
import { ask } from '../testing/client.ts'
import { type EdgeRig, edgeRig } from '../testing/edge-rig.ts'
import { tableOf } from '../testing/tables.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Time as it is, and as much more as a test says. */
function ahead(after = systemClock.after) {
  let moreMs = 0
  const clock: Clock = { ...systemClock, after, monotonic: () => systemClock.monotonic() + moreMs }
  const pass = (ms: number): void => {
    moreMs += ms
  }
  return { clock, pass }
}

async function started(maxConnectionAgeMs: number | undefined, after?: Clock['after']) {
  const time = ahead(after)
  const behind = await backend('one')
  ends.push(() => behind.close())
  const told = { ...behind.told, ...(maxConnectionAgeMs !== undefined && { maxConnectionAgeMs }) }
  const rig = await edgeRig({}, tableOf({ backends: [told] }), time.clock)
  ends.push(() => rig.close())
  return { ...time, behind, rig }
}

/** The ports that requests came from: one for each connection. */
async function asked({ port }: EdgeRig, { seen }: TestBackend): Promise<number | undefined> {
  expect((await ask(port)).status).toBe(200)
  return seen.at(-1)?.socket.remotePort
}

describe('connections to an address behind which others come and go', () => {
  it('are used again while they are young, and given up between requests when they are not', async () => {
    const { rig, behind, pass } = await started(4_000)
    const first = await asked(rig, behind)
    pass(3_900)
    expect(await asked(rig, behind)).toBe(first)
    pass(200)
    const second = await asked(rig, behind)
    expect(second).not.toBe(first)
    expect(await asked(rig, behind)).toBe(second)
    // The old one was closed by us, and not left to the backend.
    const old = behind.seen.find(({ socket }) => socket.remotePort === first)?.socket
    expect(old?.readableEnded || old?.destroyed).toBe(true)
  })

  it('are not kept after an answer that took longer than that', async () => {
    const { rig, behind, pass } = await started(4_000)
    const slow = await backend('slow', (_, response) => {
      pass(5_000)
      response.end('late')
    })
    ends.push(() => slow.close())
    await rig.swap(tableOf({ number: 2, backends: [{ ...slow.told, maxConnectionAgeMs: 4_000 }] }))
    expect((await ask(rig.port)).body).toBe('late')
    const first = slow.seen[0]?.socket.remotePort
    expect((await ask(rig.port)).body).toBe('late')
    expect(slow.seen[1]?.socket.remotePort).not.toBe(first)
    expect(behind.seen).toHaveLength(0)
  })

  it('grow as old as they like where nobody says otherwise, and follow what a later table says', async () => {
    const { rig, behind, pass } = await started(undefined)
    const first = await asked(rig, behind)
    pass(3_600_000)
    expect(await asked(rig, behind)).toBe(first)
    await rig.swap(tableOf({ number: 2, backends: [{ ...behind.told, maxConnectionAgeMs: 1_000 }] }))
    expect(await asked(rig, behind)).not.toBe(first)
  })

  it('are tried again for a moment where nobody accepts them, since the next may find another', async () => {
    const waiting = deferred<() => void>()
    const held: Clock['after'] = (ms, task) => {
      if (ms !== 10) return systemClock.after(ms, task)
      waiting.resolve(task)
      return () => undefined
    }
    const { rig, behind } = await started(4_000, held)
    await behind.close()
    const answer = ask(rig.port)
    const goOn = await waiting.promise
    const other = await backend('other', undefined, behind.port)
    ends.push(() => other.close())
    goOn()
    expect((await answer).status).toBe(200)
  })

  it('are given up where nobody accepts any, as at every other address', async () => {
    const { rig, behind } = await started(4_000)
    await behind.close()
    expect((await ask(rig.port)).status).toBe(502)
  })
})

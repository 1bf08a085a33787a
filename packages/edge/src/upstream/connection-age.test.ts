import { once } from 'node:events'
import { connect } from 'node:net'
import { type Clock, deferred, systemClock } from '@gantry/core'
import { afterEach, describe, expect, it } from 'vitest'
import { backend, type TestBackend } from '../testing/backend.ts'
import { ask } from '../testing/client.ts'
import { type EdgeRig, edgeRig } from '../testing/edge-rig.ts'
import { tableOf, testHost } from '../testing/tables.ts'

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

/** Timers of less than half a second, which only tries anew have here, are for the test to let go. */
function heldAfter(): { readonly after: Clock['after']; readonly task: () => Promise<() => void> } {
  let next = deferred<() => void>()
  const after: Clock['after'] = (ms, task) => {
    if (ms > 500) return systemClock.after(ms, task)
    next.resolve(task)
    return () => undefined
  }
  const task = async (): Promise<() => void> => {
    const held = await next.promise
    next = deferred<() => void>()
    return held
  }
  return { after, task }
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

  it('are tried again where nobody accepts them yet, since whoever shares it out may be late', async () => {
    const { after, task } = heldAfter()
    const { rig, behind, pass } = await started(4_000, after)
    await behind.close()
    const answer = ask(rig.port)
    for (let refusals = 0; refusals < 12; refusals++) (await task())()
    pass(4_900)
    const goOn = await task()
    const other = await backend('other', undefined, behind.port)
    ends.push(() => other.close())
    goOn()
    expect((await answer).status).toBe(200)
  })

  it('of a WebSocket are tried again as well', async () => {
    const { after, task } = heldAfter()
    const { rig, behind } = await started(4_000, after)
    await behind.close()
    const socket = connect(rig.port, '127.0.0.1')
    ends.push(async () => void socket.destroy())
    socket.write(`GET / HTTP/1.1\r\nHost: ${testHost}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    const goOn = await task()
    const other = await backend('other', undefined, behind.port)
    ends.push(() => other.close())
    other.server.on('upgrade', (_, agreed) => {
      ends.push(async () => void agreed.destroy())
      agreed.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    goOn()
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toContain('101 Switching Protocols')
  })

  it('that are tried again go by the table that is in force by then', async () => {
    const { after, task } = heldAfter()
    const { rig, behind } = await started(4_000, after)
    await behind.close()
    const answer = ask(rig.port)
    const goOn = await task()
    const next = await backend('next')
    ends.push(() => next.close())
    await rig.swap(tableOf({ number: 2, backends: [next.told] }))
    goOn()
    expect((await answer).body).toBe('next')
  })

  it('are given up where nobody has accepted any for as long as one connection may take', async () => {
    const { after, task } = heldAfter()
    const { rig, behind, pass } = await started(4_000, after)
    await behind.close()
    const answer = ask(rig.port)
    const goOn = await task()
    pass(5_000)
    goOn()
    expect((await answer).status).toBe(502)
  })
})

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFault, systemClock } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { connectEdge } from './control/connect-edge.ts'
import { startEdge } from './edge.ts'
import { controlPath, tablePath } from './paths.ts'
import { ask, backend, edgeRig, keepAliveAgent, keeper, never, routeOf, tableOf, until } from './testing/index.ts'

const kept = keeper()
const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'gantry-edge-'))
  kept({ close: () => rm(path, { recursive: true, force: true }) })
  return path
}
const anyPort = { host: '127.0.0.1', port: 0 }

describe('a table', () => {
  it('is in force and on disk, for nobody else to read, when it was acknowledged', async () => {
    const one = kept(await backend('one'))
    const { link, port, dataDir } = kept(await edgeRig())
    expect(link.hello).toMatchObject({ protocol: 1, table: 0, pid: process.pid })
    expect((await ask(port)).status).toBe(404)
    const table = tableOf({ number: 7, backends: [one.told] })
    await link.swap(table, never)
    expect((await ask(port)).body).toBe('one')
    expect(JSON.parse(await readFile(tablePath(dataDir), 'utf8'))).toEqual(table)
    expect(await link.table(never)).toEqual(table)
    expect((await stat(tablePath(dataDir))).mode & 0o077).toBe(0)
    expect((await stat(controlPath(dataDir))).mode & 0o077).toBe(0)
    expect(await link.state(never)).toMatchObject({ table: 7, listening: { port } })
  })

  it('that is older is refused, and the same again is not', async () => {
    const { link } = kept(await edgeRig({}, tableOf({ number: 7 })))
    await link.swap(tableOf({ number: 7 }), never)
    const refused = await link.swap(tableOf({ number: 6 }), never).catch((error: unknown) => error)
    expect(isFault(refused, 'conflict') && refused.reason).toBe('stale_table')
    expect((await link.state(never)).table).toBe(7)
  })

  it.each([
    ['names a backend that is not there', { routes: [routeOf({ backends: ['ghost'] })] }, /ghost/],
    ['has two routes for one place', { routes: [routeOf({ id: 'a' }), routeOf({ id: 'b' })] }, /two routes/],
    ['has a host that is none', { routes: [routeOf({ host: 'No Host' })] }, /host/],
    ['trusts what is no address', { trusted: ['everybody'] }, /trusted/],
  ])('that %s is refused whole, and the one before stays', async (_, parts, message) => {
    const { link } = kept(await edgeRig({}, tableOf({ number: 1 })))
    await expect(link.swap(tableOf({ number: 2, ...parts }), never)).rejects.toThrow(message)
    expect((await link.state(never)).table).toBe(1)
  })

  it('that cannot be kept is refused, and the one before stays', async () => {
    const { link, dataDir } = kept(await edgeRig({}, tableOf({ number: 1 })))
    await rm(join(dataDir, 'edge'), { recursive: true })
    await writeFile(join(dataDir, 'edge'), 'not a folder')
    await expect(link.swap(tableOf({ number: 2 }), never)).rejects.toThrow(/cannot keep table 2, and stays with 1/)
    expect((await link.state(never)).table).toBe(1)
  })

  it('is what the next edge in the same folder starts from', async () => {
    const one = kept(await backend('one'))
    const dataDir = await folder()
    const first = await startEdge({ dataDir, listen: anyPort, clock: systemClock })
    const link = await connectEdge(controlPath(dataDir), systemClock, never)
    await link.swap(tableOf({ number: 3, backends: [one.told] }), never)
    await link.stop(0, never)
    await first.stopped
    const second = await startEdge({ dataDir, listen: anyPort, clock: systemClock })
    kept({ close: () => second.stop(0) })
    const port = await until('it listens', () => second.state().listening?.port)
    expect(second.state()).toMatchObject({ table: 3 })
    expect(second.state().run).not.toBe(first.state().run)
    expect((await ask(port)).body).toBe('one')
  })

  it('that was damaged on disk is put aside with a word, and the edge starts', async () => {
    const dataDir = await folder()
    const said: string[] = []
    const options = { dataDir, listen: anyPort, clock: systemClock, say: (text: string): void => void said.push(text) }
    const first = await startEdge(options)
    const link = await connectEdge(controlPath(dataDir), systemClock, never)
    await link.swap(tableOf({ number: 3 }), never)
    await first.stop(0)
    await writeFile(tablePath(dataDir), '{"version":1,"numb')
    const second = await startEdge(options)
    kept({ close: () => second.stop(0) })
    expect(second.state().table).toBe(0)
    expect(said.join()).toMatch(/does not read/)
    expect(await readFile(`${tablePath(dataDir)}.unreadable`, 'utf8')).toMatch(/numb/)
  })
})

describe('a backend that leaves', () => {
  it('gets nothing new, keeps what it has, and is told of until nothing is in flight', async () => {
    let finish: () => void = () => undefined
    const slow = kept(
      await backend('slow', (_, response) => {
        finish = () => void response.end('done')
      }),
    )
    const other = kept(await backend('other'))
    const { link, port } = kept(await edgeRig({}, tableOf({ backends: [slow.told] })))
    const agent = keepAliveAgent(1)
    const pending = ask(port, '/', { agent })
    await until('it is there', () => slow.seen.length === 1)
    const leaving = { ...slow.told, leaving: true }
    const told = await link.swap(tableOf({ number: 2, backends: [leaving, other.told] }), never)
    expect(told).toEqual([{ backend: 'slow', count: 1 }])
    for (let turn = 0; turn < 4; turn++) expect((await ask(port)).body).toBe('other')
    expect(await link.swap(tableOf({ number: 3, backends: [other.told] }), never)).toEqual([
      { backend: 'slow', count: 1 },
    ])
    finish()
    const answer = await pending
    expect([answer.body, answer.headers.connection]).toEqual(['done', 'keep-alive'])
    expect((await ask(port, '/', { agent })).body).toBe('other')
    expect(await link.inFlight(['slow', 'never heard of'], never)).toEqual([
      { backend: 'slow', count: 0 },
      { backend: 'never heard of', count: 0 },
    ])
    expect((await link.figures(never)).backends.map(({ backend: id }) => id)).toEqual(['other'])
    await until('its connections are closed', async () => (await connections(slow)) === 0)
    agent.destroy()
  })
})

describe('an edge', () => {
  it('shares out by weight exactly, and gives the share of a slot without backends to the other', async () => {
    const [a, b] = [kept(await backend('a')), kept(await backend('b'))]
    const slots = (weightA: number, weightB: number, inB = ['b']) => [
      routeOf({
        slots: [
          { slot: 'a', weight: weightA, backends: ['a'] },
          { slot: 'b', weight: weightB, backends: inB },
        ],
      }),
    ]
    const backends = [a.told, b.told]
    const { link, port, swap } = kept(await edgeRig({}, tableOf({ backends, routes: slots(90, 10) })))
    for (let turn = 0; turn < 50; turn++) await ask(port)
    expect([a.seen.length, b.seen.length]).toEqual([45, 5])
    const { routes } = await link.figures(never)
    expect(routes[0]?.slots.map(({ slot, requests }) => [slot, requests])).toEqual([
      ['a', 45],
      ['b', 5],
    ])
    await swap(tableOf({ number: 2, backends, routes: slots(0, 100) }))
    for (let turn = 0; turn < 5; turn++) expect((await ask(port)).body).toBe('b')
    await swap(tableOf({ number: 3, backends, routes: slots(10, 90, []) }))
    for (let turn = 0; turn < 5; turn++) expect((await ask(port)).body).toBe('a')
  })

  it('is the only one in its folder', async () => {
    const { dataDir } = kept(await edgeRig())
    const second = startEdge({ dataDir, listen: anyPort, clock: systemClock })
    await expect(second).rejects.toThrow(/Another edge runs already/)
  })

  it('names a port that is taken with a way out, and takes it when it is free', async () => {
    const squatter = await backend('squatter')
    const dataDir = await folder()
    const said: string[] = []
    const listen = { host: '127.0.0.1', port: squatter.port }
    const edge = await startEdge({ dataDir, listen, clock: systemClock, say: (text) => void said.push(text) })
    kept({ close: () => edge.stop(0) })
    const trouble = await until('it says so', () => edge.state().trouble)
    expect(trouble).toMatch(new RegExp(`Port ${squatter.port} .* in use .* --edge HOST:PORT`))
    expect(said).toEqual([trouble])
    await squatter.close()
    await until('it listens', () => edge.state().listening?.port === squatter.port)
    expect(edge.state()).not.toHaveProperty('trouble')
  })

  it('that is stopped lets what is in flight finish', async () => {
    let finish: () => void = () => undefined
    const slow = kept(
      await backend('slow', (_, response) => {
        finish = () => void response.end('done')
      }),
    )
    const { edge, port } = kept(await edgeRig({}, tableOf({ backends: [slow.told] })))
    const pending = ask(port, '/', { agent: keepAliveAgent(1) })
    await until('it is there', () => slow.seen.length === 1)
    const stopped = edge.stop(60_000)
    await until('nothing new is taken', () =>
      ask(port).then(
        () => false as const,
        () => true as const,
      ),
    )
    finish()
    expect((await pending).body).toBe('done')
    await stopped
  })
})

function connections({
  server,
}: {
  server: { getConnections(done: (error: Error | null, count: number) => void): void }
}) {
  return new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
}

/** The program itself, killed and started again, and tables that change under load: nothing of it may be noticed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { connectEdge } from './control/connect-edge.ts'
import { edgeMain } from './edge-program.ts'
import { controlPath } from './paths.ts'
import type { EdgeBackend } from './table.ts'
import {
  ask,
  backend,
  edgeRig,
  keepAliveAgent,
  keeper,
  never,
  type TestBackend,
  tableOf,
  until,
} from './testing/index.ts'

const kept = keeper()

/** Keeps so many connections busy until it is told to end; every answer but a 200 is a failure. */
function load(port: number, connections: number) {
  const agent = keepAliveAgent(connections)
  const failures: string[] = []
  let requests = 0
  let ending = false
  const worker = async (nth: number): Promise<void> => {
    for (let turn = 0; !ending; turn++) {
      // Bodies as well, because those cannot simply be sent again.
      const more = (nth + turn) % 3 === 0 ? { method: 'POST', body: `${nth} ${turn}` } : {}
      const answer = await ask(port, '/', { agent, ...more }).catch((error: unknown) => String(error))
      requests++
      if (typeof answer === 'string') failures.push(answer)
      else if (answer.status !== 200) failures.push(`${answer.status} ${answer.body}`)
    }
  }
  const workers = Promise.all(Array.from({ length: connections }, (_, nth) => worker(nth)))
  return {
    requests: () => requests,
    async end(): Promise<readonly string[]> {
      ending = true
      await workers
      agent.destroy()
      return failures
    },
  }
}

describe('under load', () => {
  it('no request fails while tables are swapped and backends come, leave and close', async () => {
    const { link, port } = kept(await edgeRig())
    let number = 0
    const swap = (backends: readonly EdgeBackend[]) => link.swap(tableOf({ number: ++number, backends }), never)
    const start = (id: string): Promise<TestBackend> =>
      backend(id, (request, response) => {
        request.resume().on('end', () => setTimeout(() => response.end(id), number % 5))
      })
    let now = [await start('0-a'), await start('0-b')]
    await swap(now.map(({ told }) => told))
    const busy = load(port, 32)
    for (let turn = 1; turn <= 12; turn++) {
      const next = [await start(`${turn}-a`), await start(`${turn}-b`)]
      await swap([...now, ...next].map(({ told }) => told))
      const since = busy.requests()
      await until('there was load on it', () => busy.requests() > since + 64)
      // The order of leaving: routed out, acknowledged, nothing in flight, stopped.
      const leaving = now.map(({ told }) => ({ ...told, leaving: true }))
      await swap([...leaving, ...next.map(({ told }) => told)])
      const ids = leaving.map(({ id }) => id)
      await until('nothing is in flight', async () =>
        (await link.inFlight(ids, never)).every(({ count }) => count === 0),
      )
      for (const old of now) await old.close()
      now = next
    }
    expect(await busy.end()).toEqual([])
    expect(busy.requests()).toBeGreaterThan(12 * 64)
    for (const last of now) await last.close()
  })

  it('only what is in flight on a backend that dies can fail, and a GET does not even then', async () => {
    const { link, port } = kept(await edgeRig())
    const stays = kept(await backend('stays'))
    let dies = await backend('dies')
    const { port: place } = dies
    await link.swap(tableOf({ backends: [stays.told, dies.told] }), never)
    const agent = keepAliveAgent(16)
    for (let turn = 0; turn < 5; turn++) {
      for (let round = 0; round < 4; round++)
        await Promise.all(Array.from({ length: 16 }, () => ask(port, '/', { agent })))
      await dies.close()
      const answers = await Promise.all(Array.from({ length: 32 }, () => ask(port, '/', { agent })))
      expect(answers.map(({ status, body }) => `${status} ${body}`)).toEqual(answers.map(() => '200 stays'))
      dies = await backend('dies', undefined, place)
      await until('it is back', async () => (await ask(port)).body === 'dies')
    }
    await dies.close()
    agent.destroy()
  })
})

describe('the program', () => {
  it('killed with all its connections starts from disk on the same port, and answers without being told anything', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gantry-edge-'))
    kept({ close: () => rm(dataDir, { recursive: true, force: true }) })
    const one = kept(await backend('one'))
    const first = await program(dataDir, 0)
    const link = await connectEdge(controlPath(dataDir), systemClock, never)
    await link.swap(tableOf({ number: 41, backends: [one.told] }), never)
    expect((await ask(first.port)).body).toBe('one')
    first.child.kill('SIGKILL')
    await link.ended
    const second = await program(dataDir, first.port)
    expect(second.port).toBe(first.port)
    expect((await ask(second.port)).body).toBe('one')
    const again = await connectEdge(controlPath(dataDir), systemClock, never)
    expect(again.hello).toMatchObject({ table: 41, pid: second.child.pid })
    again.close()
    second.child.kill('SIGTERM')
    expect(await once(second.child, 'exit')).toEqual([0, null])
  })

  it.each([
    [['--listen', '127.0.0.1:0'], /needs --data/],
    [['--data', 'somewhere', '--listen', 'nowhere'], /write HOST:PORT/],
  ])('refuses %j with a word', async (argv, word) => {
    const child = spawn(process.execPath, [edgeMain(), ...argv], { stdio: 'pipe' })
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(said).toMatch(word)
  })
})

async function program(dataDir: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [edgeMain(), '--data', dataDir, '--listen', `127.0.0.1:${port}`], {
    stdio: 'pipe',
  })
  kept({ close: () => child.kill('SIGKILL') })
  const listening = await until('the program listens', async () => {
    const link = await connectEdge(controlPath(dataDir), systemClock, never).catch(() => undefined)
    const state = await link?.state(never).catch(() => undefined)
    link?.close()
    return state?.pid === child.pid && state?.listening?.port
  })
  return { child, port: listening }
}

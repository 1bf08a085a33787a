/** One write to a thousand watchers: how soon the last of them knows, and what a watcher costs. */
import { request } from 'node:http'
import { bodyOf, pathOf } from './api/requests.ts'
import type { Bench, BenchContext } from './bench.ts'
import { limited } from './rounds.ts'
import { type Child, startChild } from './watch/child.ts'
import { type FromServer, type FromWatchers, sharedNow, type ToServer, type ToWatchers } from './watch/messages.ts'

const watcherCount = 1000
const writesEach = 10
const withinMs = 250
const withinKilobytes = 32

type Server = Child<ToServer, FromServer>
type Watchers = Child<ToWatchers, FromWatchers>
type Figures = { readonly p99: number; readonly kilobytes: number }

export const watch: Bench = {
  name: 'watch',
  about:
    `One write to ${watcherCount} watchers on one server, over sockets, server and watchers a process each. The time runs ` +
    'from before the write is sent until a watcher has the event, fsync included; memory is what the resident size of ' +
    'the server grew by after a collection, sockets included.',
  unit: 'as each case says',
  better: 'lower',
  async run(context) {
    const figures: Figures[] = []
    for (let round = 0; round < context.rounds; round += 1) {
      const { p99, kilobytes } = await oneRound(context)
      figures.push({ p99, kilobytes })
      context.say(`round ${round + 1} of ${context.rounds}: ${p99.toFixed(0)} ms, ${kilobytes.toFixed(1)} kB a watcher`)
    }
    return [
      limited(
        `p99 in ms of ${writesEach} writes to ${watcherCount} watchers`,
        'lower',
        figures.map(({ p99 }) => p99),
        withinMs,
      ),
      limited(
        'kB for each watcher',
        'lower',
        figures.map(({ kilobytes }) => kilobytes),
        withinKilobytes,
      ),
    ]
  },
}

async function oneRound(context: BenchContext): Promise<Figures> {
  const server: Server = startChild(new URL('./watch/server.js', import.meta.url))
  try {
    const { address, token } = await server.next('listening', context)
    let generation = 0
    const write = async (): Promise<void> => {
      generation += 1
      await put(`${address}${pathOf(0)}`, token, bodyAt(generation))
    }
    // What the first requests leave behind for good belongs to the server, and to no watcher.
    for (let warm = 0; warm < 200; warm += 1) await write()
    const before = await memoryOf(server, context)
    const watchers: Watchers = startChild(new URL('./watch/watchers.js', import.meta.url), [
      address,
      token,
      String(watcherCount),
    ])
    try {
      await watchers.next('watching', context)
      const delays: number[] = []
      for (let writes = 0; writes < writesEach; writes += 1) {
        watchers.send({ type: 'expect', generation: generation + 1 })
        const from = sharedNow()
        await write()
        const { at } = await watchers.next('seen', context)
        delays.push(...at.map((when) => when - from))
      }
      const after = await memoryOf(server, context)
      return { p99: percentile(delays, 0.99), kilobytes: (after - before) / 1024 / watcherCount }
    } finally {
      await watchers.end()
    }
  } finally {
    await server.end()
  }
}

async function memoryOf(server: Server, context: BenchContext): Promise<number> {
  server.send({ type: 'measure' })
  return (await server.next('memory', context)).bytes
}

/** The same workload with something changed every time: a write that changes nothing is told to nobody. */
function bodyAt(generation: number): string {
  const body = JSON.parse(bodyOf(0)) as { spec: object }
  return JSON.stringify({ ...body, spec: { ...body.spec, stopGraceSeconds: 1 + (generation % 100) } })
}

function put(url: string, token: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(url, { method: 'PUT', headers }, (answer) => {
      answer.resume()
      answer.once('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve()
        else reject(new Error(`a write was answered with ${answer.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

function percentile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

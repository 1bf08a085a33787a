/** One round of ours, in a process of its own: what it stores, how fast, and how much memory that takes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval as every } from 'node:timers'
import { Secret, systemClock } from '@gantry/core'
import { FileLogStore, LogCollector, logLimits, type QueriedLog, queryLogs } from '@gantry/server'
import { lineBytes, lineOf, linesEach, replicas, secrets } from './lines.ts'
import { pipeHub, ref } from './pipe-engine.ts'
import { startNoisy } from './start-noisy.ts'

export type Stored = {
  readonly type: 'stored'
  readonly perSecond: number
  readonly lost: number
  readonly megabytes: number
}

const call = { signal: new AbortController().signal }
const log = { info: () => undefined, warn: console.error, error: console.error }

const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-logs-'))
try {
  process.send?.(await round())
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Whoever has the figures may have hung up already.
if (process.connected) process.disconnect()

async function round(): Promise<Stored> {
  const limits = { ...logLimits, workloadBytes: 4 * 2 ** 30 }
  const store = new FileLogStore({ folder, clock: systemClock, limits })
  const secretsOf = async (): Promise<Secret[]> => secrets.map((value) => new Secret(value))
  const noisy = await startNoisy()
  const collector = new LogCollector({ hub: pipeHub(noisy.outputs), store, secretsOf, clock: systemClock, log, limits })
  const before = process.memoryUsage.rss()
  let most = before
  const watching = every(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const cursors = new Map<string, number>()
  const from = performance.now()
  const all = new Promise<number>((resolve) => {
    store.subscribe(ref.uid, ({ folder: of, cursor }) => {
      cursors.set(of, Number(cursor))
      const stored = [...cursors.values()].reduce((sum, bytes) => sum + bytes, 0)
      if (stored === replicas * linesEach * lineBytes) resolve(performance.now() - from)
    })
  })
  collector.start()
  noisy.begin()
  const ms = await all
  clearInterval(watching)
  await noisy.ended()
  await collector.stop()
  return {
    type: 'stored',
    perSecond: (replicas * linesEach) / (ms / 1000),
    lost: await missing(store),
    megabytes: (most - before) / 2 ** 20,
  }
}

/** Reads everything back: each line of each replica, once, in order, and with no secret in it. */
async function missing(store: FileLogStore): Promise<number> {
  const next = new Array<number>(replicas).fill(0)
  let wrong = 0
  for await (const { index, text } of queryLogs(store, ref, call)) if (!isNext(next, { index, text })) wrong += 1
  return wrong + next.reduce((sum, count) => sum + Math.abs(linesEach - count), 0)
}

function isNext(next: number[], { index, text }: Pick<QueriedLog, 'index' | 'text'>): boolean {
  const number = next[index] ?? 0
  next[index] = number + 1
  const wanted = secrets.reduce<string>((line, value) => line.replaceAll(value, '[secret]'), lineOf(number))
  return text === wanted
}

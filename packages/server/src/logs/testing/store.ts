/** A log store on a folder, with what tests put in and read out. */
import type { Call } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import type { Slot } from '@gantry/providers'
import { FileLogStore } from '../file-log-store.ts'
import { type LogLimits, logLimits } from '../limits.ts'
import type { LogAppender } from '../log-store.ts'
import { type LogQuery, queryLogs } from '../query/query.ts'
import { BlockBuilder } from '../segments/block.ts'
import type { LogSource } from '../source.ts'

export const call: Call = { signal: new AbortController().signal }
export const shop = { tenant: 'shop', uid: 'uid-web' } as const

export function storeAt(folder: string, limits: Partial<LogLimits> = {}): FileLogStore {
  return new FileLogStore({ folder, clock: new VirtualClock(), limits: { ...logLimits, ...limits } })
}

export function sourceOf(service: string, index: number, engineId: string, slot: Slot = 'a'): LogSource {
  return { ref: { ...shop, workload: 'web', slot }, engineId, index, release: 'v1', service }
}

/** `lines`: time and text of each. The cursor is the number of lines so far. */
export async function append(
  appender: LogAppender,
  lines: readonly (readonly [at: number, text: string])[],
): Promise<void> {
  const block = new BlockBuilder()
  for (const [at, text] of lines) block.add(at, 'stdout', `${text}\n`)
  const cursor = String(Number(appender.cursor ?? 0) + lines.length)
  await appender.append(block.take(cursor), cursor, lines[0]?.[0] ?? 0)
}

export async function texts(store: FileLogStore, query: Partial<LogQuery> = {}): Promise<string[]> {
  const found: string[] = []
  for await (const { text } of queryLogs(store, { ...shop, ...query }, call)) found.push(text)
  return found
}

/** What an object of a set wrote: all containers of all pods behind it, each with a cursor of its own. */
import { type Call, Fault, sleep } from '@gantry/core'
import { channel, failOnAbort } from '../../channel.ts'
import type { EngineLog, LogFrom } from '../../log-line.ts'
import { lastOf } from '../../log-text.ts'
import { containerLogs, type LoggedContainer, type LogParts, lookAt, type Runs } from '../logs/container-logs.ts'
import type { SetContainer } from './source-keeper.ts'

/** Pods of a set are not heard of one by one: they are looked for. */
const lookEveryMs = 1000

/** By pod and container. */
type Cursors = Readonly<Record<string, string>>

export async function* setLogs(
  parts: LogParts,
  containersOf: (call: Call) => Promise<readonly SetContainer[]>,
  from: LogFrom,
  call: Call,
): AsyncGenerator<EngineLog> {
  call.signal.throwIfAborted()
  let cursors = from.cursor === undefined ? {} : parseCursors(from.cursor)
  const there = await containersOf(call)
  const tell = (id: string, log: EngineLog): EngineLog => {
    cursors = { ...cursors, [id]: log.cursor }
    return { ...log, cursor: JSON.stringify(cursors) }
  }
  if (!from.follow) {
    const all: { readonly id: string; readonly log: EngineLog }[] = []
    for (const each of there) {
      const begin = beginOf(cursors, each, from)
      for await (const log of containerLogs(parts, at(each), polled(parts, each), begin, call))
        all.push({ id: idOf(each), log })
    }
    const told = all
      .sort((left, right) => left.log.at.getTime() - right.log.at.getTime())
      .map(({ id, log }) => tell(id, log))
    yield* from.tail === undefined || from.cursor !== undefined ? told : lastOf(told, from.tail)
    return
  }
  const out = channel<{ readonly id: string; readonly log: EngineLog }>()
  const life = new AbortController()
  const forget = failOnAbort(out, call.signal)
  const reading = new Set<string>()

  /** Those that come later are read from their first line. */
  const pump = async (each: SetContainer, begin: LogFrom): Promise<void> => {
    const id = idOf(each)
    if (reading.has(id)) return
    reading.add(id)
    for await (const log of containerLogs(parts, at(each), polled(parts, each), begin, life)) out.push({ id, log })
  }
  const follow = async (): Promise<void> => {
    const fail = (error: unknown): void => {
      if (!life.signal.aborted) out.fail(error)
    }
    for (const each of there) pump(each, beginOf(cursors, each, from)).catch(fail)
    for (;;) {
      await sleep(parts.clock, lookEveryMs, life)
      for (const each of await containersOf(life)) pump(each, beginOf(cursors, each, { follow: true })).catch(fail)
    }
  }
  follow().catch((error: unknown) => {
    if (!life.signal.aborted) out.fail(error)
  })
  try {
    for await (const { id, log } of out) yield tell(id, log)
  } finally {
    forget()
    life.abort(new Error('nobody reads this log any more'))
  }
}

const at = ({ namespace, pod, container, podUid: uid }: SetContainer): LoggedContainer => ({
  namespace,
  pod,
  container,
  uid,
})

const idOf = ({ podUid, container }: SetContainer): string => `${podUid}/${container}`

function beginOf(cursors: Cursors, each: SetContainer, from: LogFrom): LogFrom {
  const cursor = cursors[idOf(each)]
  if (cursor !== undefined) return { cursor, follow: from.follow }
  const { cursor: _, ...rest } = from
  return rest
}

function polled({ api, clock }: LogParts, each: SetContainer): Runs {
  return {
    first: (call) => lookAt(api, at(each), call),
    async next(known, call) {
      for (;;) {
        await sleep(clock, lookEveryMs, call)
        const now = await lookAt(api, at(each), call)
        if (!now || (now.id !== undefined && now.id !== known)) return now
      }
    },
  }
}

function parseCursors(text: string): Cursors {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Cursors
  } catch {
    // Said below.
  }
  throw new Fault('bad_request', `The cursor ${JSON.stringify(text.slice(0, 100))} is not one of a set of objects`)
}

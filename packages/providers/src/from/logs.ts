/** Logs of a whole instance out of those of its parts. */
import { type Call, type Clock, Fault, isFault, onAbort } from '@gantry/core'
import { channel } from '../channel.ts'
import type { Engine } from '../engine.ts'
import type { LogFrom, LogGap, LogLine, LogOptions } from '../log-line.ts'
import { linesOf } from '../log-text.ts'
import type { Observation, Observed, Replica } from '../observed.ts'
import { type Ref, refKey, refName } from '../ref.ts'
import type { ChangeFeed } from './change-feed.ts'
import { merged } from './merged.ts'

type Source = { readonly engineId: string; readonly replica: number; readonly service: string }
type Entry = LogLine | LogGap
type Read = NonNullable<Engine['logs']>

type Tools = {
  readonly engine: Pick<Engine, 'look'>
  readonly read: Read
  readonly feed: ChangeFeed
  readonly clock: Clock
}

export async function* instanceLogs(tools: Tools, ref: Ref, options: LogOptions, call: Call): AsyncIterable<Entry> {
  const observed = await tools.engine.look(ref, call)
  if (!observed) throw new Fault('instance_not_found', `There is nothing of ${refName(ref)} to read logs of`)
  const sources = sourcesOf(observed, options)
  const cursors = new Map<string, string>()
  const { since, tail } = options
  const from = { ...(since ? { since } : {}), ...(tail === undefined ? {} : { tail }), follow: false }
  const history = (): AsyncIterable<Entry> =>
    merged(sources.map((source) => entries(source, from, { ...tools, cursors }, call)))
  if (!options.follow) {
    yield* history()
    return
  }
  try {
    yield* history()
    yield* following(tools, ref, options, { sources, cursors }, call)
  } catch (error) {
    // Whoever follows leaves by aborting: that is an end, not an error.
    if (!call.signal.aborted) throw error
  }
}

type Start = { readonly sources: readonly Source[]; readonly cursors: Map<string, string> }

/** Stays through replacements: whatever replica appears is read from its first line, and each one to its end. */
async function* following(tools: Tools, ref: Ref, options: LogOptions, start: Start, call: Call): AsyncIterable<Entry> {
  const { cursors } = start
  const out = channel<Entry>()
  const reading = new Set<string>()
  const read = new Set<string>()
  const known = new Set(start.sources.map(sourceId))
  let over = false
  const finish = (): void => {
    if (over && reading.size === 0) out.close()
  }
  const pump = async (source: Source): Promise<void> => {
    const id = sourceId(source)
    if (reading.has(id) || read.has(id)) return
    reading.add(id)
    const from = whereToBegin(cursors.get(id), options, known.has(id))
    try {
      for await (const entry of entries(source, from, { ...tools, cursors }, call)) out.push(entry)
      read.add(id)
    } catch (error) {
      // Out of sight is read on from the cursor, once there is a snapshot again.
      if (!isFault(error, 'unavailable')) out.fail(error)
    } finally {
      reading.delete(id)
      finish()
    }
  }
  const follow = (observed: Observed): void => {
    for (const source of selected(observed, options)) void pump(source)
  }
  const catchUp = (error: unknown): void => {
    if (!isFault(error, 'unavailable')) out.fail(error)
  }
  const leave = tools.feed.subscribe((seen: Observation) => {
    const own = ownPart(ref, seen)
    if (own) follow(own)
    if (seen.type === 'gone' && refKey(seen.ref) === refKey(ref)) {
      over = true
      finish()
    }
  })
  for (const source of start.sources) void pump(source)
  // What appeared between the first look and the subscription is seen by a second one.
  void tools.engine.look(ref, call).then((observed) => observed && follow(observed), catchUp)
  const forget = onAbort(call.signal, () => out.close())
  try {
    yield* out
  } finally {
    leave()
    forget()
  }
}

function ownPart(ref: Ref, seen: Observation): Observed | undefined {
  if (seen.type === 'changed') return refKey(seen.instance.ref) === refKey(ref) ? seen.instance : undefined
  if (seen.type === 'snapshot') return seen.instances.find((instance) => refKey(instance.ref) === refKey(ref))
  return undefined
}

/** What is asked for by name must be there, at least at the beginning. */
function sourcesOf(observed: Observed, options: LogOptions): Source[] {
  const sources = selected(observed, options)
  if (sources.length > 0 || observed.replicas.length === 0) return sources
  const noReplica = options.replica !== undefined && !observed.replicas.some(({ index }) => index === options.replica)
  if (noReplica) throw new Fault('replica_not_found', `There is no replica ${options.replica} to read logs of`)
  throw new Fault('service_not_found', `There is no service ${options.service} to read logs of`)
}

function selected({ replicas }: Observed, { service, replica }: LogOptions): Source[] {
  const wanted = replicas.filter(({ index }) => replica === undefined || index === replica)
  return wanted.flatMap((each) => servicesOf(each, service))
}

const servicesOf = ({ engineId, index, services }: Replica, service: string | undefined): Source[] =>
  Object.keys(services)
    .filter((name) => service === undefined || name === service)
    .map((name) => ({ engineId, replica: index, service: name }))

/** Who has read something reads on from there; who wanted nothing of what was, begins with what comes. */
function whereToBegin(cursor: string | undefined, { since, tail }: LogOptions, wasThere: boolean): LogFrom {
  if (cursor !== undefined) return { cursor, follow: true }
  return { ...(since ? { since } : {}), ...(tail === 0 && wasThere ? { tail } : {}), follow: true }
}

type Reading = Pick<Tools, 'read' | 'clock'> & { readonly cursors: Map<string, string> }

async function* entries(
  source: Source,
  from: LogFrom,
  { read, clock, cursors }: Reading,
  call: Call,
): AsyncIterable<Entry> {
  const { engineId, service, replica } = source
  try {
    for await (const log of read(engineId, service, from, call)) {
      const { at: ts } = log
      if (log.type === 'gap') yield { ts, service, replica, gap: log.message }
      else for (const line of linesOf(log.text)) yield { ts, service, replica, stream: log.stream, line }
      cursors.set(sourceId(source), log.cursor)
    }
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
    // It was there when we looked: whatever it wrote since is lost to us, and that is said.
    const gap = 'this replica is gone; what it wrote last can no longer be read'
    yield { ts: new Date(clock.now()), service, replica, gap }
  }
}

const sourceId = ({ engineId, service }: Source): string => `${engineId} ${service}`

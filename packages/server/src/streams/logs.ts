/** Lines of a workload, out of what is kept of them. */
import { endpoints, type WorkloadLog } from '@gantry/api'
import { type Call, type Clock, readDuration } from '@gantry/core'
import type { Store } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import type { LogStore } from '../logs/log-store.ts'
import { type LogQuery, type QueriedLog, queryLogs } from '../logs/query/query.ts'
import { findWorkload } from './target.ts'

export type LogRouteDeps = { readonly store: Store; readonly logs: LogStore; readonly clock: Clock }

export function logsRoute({ store, logs, clock }: LogRouteDeps): Routes['streams']['logs'] {
  return implement(endpoints.streams.logs, async ({ params, query: { since, ...query }, access, signal }) => {
    const { metadata } = await findWorkload(store, access, params, { signal })
    const wanted = { ...query, tenant: params.tenant, uid: metadata.uid, since: since && timeOf(since, clock) }
    return { lines: records(logs, wanted as LogQuery, { signal }) }
  })
}

/** A time, or how long ago. */
function timeOf(since: string, clock: Clock): number {
  const ago = readDuration(since)
  return ago === undefined ? Date.parse(since) : clock.now() - ago
}

async function* records(logs: LogStore, query: LogQuery, call: Call): AsyncGenerator<WorkloadLog> {
  for await (const log of queryLogs(logs, query, call)) yield recordOf(log)
}

function recordOf({ at, service, slot, index, stream, text }: QueriedLog): WorkloadLog {
  const about = { ts: new Date(at).toISOString(), service, slot, replica: index }
  return stream === 'gap' ? { ...about, gap: text } : { ...about, stream, line: text }
}

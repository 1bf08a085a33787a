/** Lines of a workload as they are read. */
import type { WorkloadLog } from '../schemas/logs.ts'
import { problemType } from '../schemas/problem-headers.ts'
import { silenceMs } from '../schemas/stream.ts'
import { type Answer, bad, checked, faultOf, parsed } from './answer.ts'
import { type Caller, type CallOptions, callOf } from './call.ts'
import { readBytes } from './read-bytes.ts'
import { wireRequest } from './request.ts'

export type LogOptions = CallOptions & {
  /** Stay for what comes, also from replicas that come. */
  readonly follow?: boolean | undefined
  /** Nothing older: a time, or how long ago such as `10m`. */
  readonly since?: Date | string | undefined
  /** The last so many of all that is selected. */
  readonly tail?: number | undefined
  readonly service?: string | undefined
  /** By index. */
  readonly replica?: number | undefined
  /** Of the replicas that were there before those that are there now. */
  readonly previous?: boolean | undefined
}

/** A longer one is none of ours. */
const longestLine = 16_777_216

export async function* readLogs(
  caller: Caller,
  params: { readonly tenant: string; readonly name: string },
  { signal, timeoutMs, since, ...query }: LogOptions = {},
): AsyncGenerator<WorkloadLog, void> {
  const { logs } = caller.endpoints.streams
  const from = since instanceof Date ? since.toISOString() : since
  const request = wireRequest(logs, { params, query: { ...query, since: from } })
  const answer: Answer = { server: caller.server, status: 200, type: problemType, requestId: undefined }
  const expected = { type: logs.reply.type, silenceMs }
  const decoder = new TextDecoder()
  let rest = ''
  const asked = { ...caller, timeoutMs: timeoutMs ?? caller.timeoutMs }
  for await (const bytes of readBytes(asked, request, expected, callOf({ signal }))) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw bad(answer, 'sent a line that is longer than any of ours')
    // An empty line is a sign of life.
    for (const line of lines) if (line !== '') yield recordOf(line)
  }
  // One that was cut is no JSON.
  if (rest !== '') yield recordOf(rest)

  function recordOf(line: string): WorkloadLog {
    const record = checked(logs.reply.schema, parsed(answer, line), answer)
    if ('fault' in record) throw faultOf(answer, JSON.stringify(record.fault))
    return record as WorkloadLog
  }
}

/** Values as they come, in the two ways that can be asked for. */
import { faultEvent } from '@gantry/api'
import type { StreamEvent } from '../app/request.ts'
import type { StreamFormat } from '../watch/event-stream.ts'

const json: StreamFormat = {
  event: ({ data }) => `${data}\n`,
  fault: (problem) => `{"fault":${problem}}\n`,
  beat: '\n',
  end: '',
}

/** A browser comes back after any end, so the last event tells it not to. */
const events: StreamFormat = {
  event: ({ event, data }) => `event: ${event}\ndata: ${data}\n\n`,
  fault: (problem) => `event: ${faultEvent}\ndata: ${problem}\n\n`,
  beat: ': \n\n',
  end: 'event: end\ndata: {}\n\n',
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Lines of JSON unless Accept names the other by name. */
export function lineFormat({ accept }: Headers): { readonly type: string; readonly format: StreamFormat } {
  const wantsEvents = /(?:^|[\s,])text\/event-stream(?:$|[\s,;])/i.test(String(accept ?? ''))
  return wantsEvents ? { type: 'text/event-stream', format: events } : { type: 'application/x-ndjson', format: json }
}

export async function* eventsOf(values: AsyncIterable<unknown>): AsyncGenerator<StreamEvent> {
  for await (const value of values) yield { id: '', event: 'line', data: JSON.stringify(value) }
}

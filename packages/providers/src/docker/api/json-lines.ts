/** Values that arrive as lines of JSON, whatever pieces the lines arrive in. */
import { Fault } from '@gantry/core'

export async function* jsonLines<Value>(chunks: AsyncIterable<Buffer>): AsyncGenerator<Value> {
  let pending: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pending, chunk.subarray(from, end)])
      pending = []
      from = end + 1
      yield* parsed<Value>(line)
    }
    if (from < chunk.length) pending.push(chunk.subarray(from))
  }
  // The last line of some answers has no end.
  yield* parsed<Value>(Buffer.concat(pending))
}

function parsed<Value>(line: Buffer): Value[] {
  const text = line.toString('utf8').trim()
  if (text === '') return []
  try {
    return [JSON.parse(text) as Value]
  } catch (cause) {
    throw new Fault('bad_answer', 'Docker sent a line that is no JSON', { detail: text.slice(0, 1_000), cause })
  }
}

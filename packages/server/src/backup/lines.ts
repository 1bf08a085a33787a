/** Splits text at line feeds and nowhere else: other things that end a line elsewhere are part of a value here. */
import { StringDecoder } from 'node:string_decoder'

export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...rest] = decoder.write(Buffer.from(chunk)).split('\n')
    parts.push(first)
    for (const next of rest) {
      yield parts.join('')
      parts = [next]
    }
  }
  const last = parts.join('') + decoder.end()
  if (last !== '') yield last
}

/** Pure: one whole answer of HTTP/1.1 out of the bytes of a connection that is for it alone. */
import { Fault } from '@gantry/core'

export type HttpAnswer = {
  readonly status: number
  /** Names in small letters. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export type AnswerReader = {
  /** The next bytes; gives the answer once it is whole. Throws if this is no HTTP. */
  take(bytes: Buffer): HttpAnswer | undefined
  /** The connection has ended: the answer, if that is what ends it, and else nothing, since some of it is missing. */
  end(): HttpAnswer | undefined
}

const longestHead = 65_536

/** How a body ends: after so many bytes, with a chunk of none, or with the connection. */
type Body =
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunks'; left?: number }
  | { readonly kind: 'rest' }

export function answerReader(): AnswerReader {
  const parts: Buffer[] = []
  let waiting: Buffer = Buffer.alloc(0)
  let head: Pick<HttpAnswer, 'status' | 'headers'> | undefined
  let body: Body = { kind: 'rest' }

  const whole = (): HttpAnswer | undefined => head && { ...head, body: Buffer.concat(parts) }

  return {
    take(bytes) {
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
      while (!head) {
        const lines = cut('\r\n\r\n', longestHead)
        if (lines === undefined) return undefined
        const read = headOf(lines)
        // What comes before the answer itself says nothing about it.
        if (read.status >= 200) [head, body] = [read, bodyOf(read)]
      }
      return isWhole() ? whole() : undefined
    },
    end: () => (body.kind === 'rest' ? whole() : undefined),
  }

  function isWhole(): boolean {
    if (body.kind === 'chunks') return chunks(body)
    if (body.kind === 'length') body.left -= move(body.left)
    else move(waiting.length)
    return body.kind === 'length' && body.left === 0
  }

  /** `left` counts the line break behind a chunk too; there is none while its size is still to come. */
  function chunks(state: { left?: number }): boolean {
    for (;;) {
      if (state.left === undefined) {
        const line = cut('\r\n', longestHead)
        if (line === undefined) return false
        const [, digits] = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? []
        if (digits === undefined) throw notHttp()
        state.left = Number.parseInt(digits, 16)
        // Lines that may follow the last say nothing that anybody asks for.
        if (state.left === 0) return true
        state.left += 2
      }
      if (state.left > 2) state.left -= move(state.left - 2)
      if (state.left > 2 || waiting.length < 2) return false
      if (cut('\r\n', 0) === undefined) throw notHttp()
      delete state.left
    }
  }

  function move(most: number): number {
    const part = waiting.subarray(0, most)
    waiting = waiting.subarray(part.length)
    if (part.length > 0) parts.push(part)
    return part.length
  }

  /** What is before the next `end`, which is taken away with it. */
  function cut(end: string, longest: number): string | undefined {
    const at = waiting.indexOf(end)
    if (at > longest || (at === -1 && waiting.length > longest + end.length)) throw notHttp()
    if (at === -1) return undefined
    const text = waiting.toString('latin1', 0, at)
    waiting = waiting.subarray(at + end.length)
    return text
  }
}

function headOf(text: string): Pick<HttpAnswer, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n')
  const [, digits] = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first) ?? []
  if (digits === undefined) throw notHttp()
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw notHttp()
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { status: Number(digits), headers }
}

function bodyOf({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>): Body {
  if (status === 204 || status === 304) return { kind: 'length', left: 0 }
  const coding = headers.get('transfer-encoding')
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw notHttp()
    return { kind: 'chunks' }
  }
  const length = headers.get('content-length')
  if (length === undefined) return { kind: 'rest' }
  if (!/^\d{1,15}$/.test(length)) throw notHttp()
  return { kind: 'length', left: Number(length) }
}

function notHttp(): Fault {
  return new Fault('bad_answer', 'What answered does not speak HTTP as it should. Is something else at that address?')
}

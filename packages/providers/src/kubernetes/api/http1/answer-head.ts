/** Pure: the first lines of an answer. Only what somebody asks for is kept. */
import { Fault } from '@gantry/core'

export type AnswerHead = {
  readonly status: number
  /** Of the body; undefined where it ends with the connection. */
  readonly length?: number
  readonly chunked: boolean
  readonly keptAlive: boolean
  readonly retryAfter?: string
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: |\r|$)/

export function parseHead(text: string): AnswerHead {
  const [, minor, status] = statusLine.exec(text) ?? []
  if (status === undefined) {
    throw new Fault('bad_answer', 'What listens there speaks no HTTP; is it the address of a Kubernetes API?', {
      detail: text.slice(0, 200),
    })
  }
  const length = fieldIn(text, 'content-length')
  const coding = fieldIn(text, 'transfer-encoding')
  const connection = fieldIn(text, 'connection')?.toLowerCase()
  const retryAfter = fieldIn(text, 'retry-after')
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    throw new Fault('bad_answer', `An answer has the length ${length}`)
  const chunked = coding !== undefined
  if (chunked && coding.toLowerCase() !== 'chunked') throw new Fault('bad_answer', `An answer is coded as ${coding}`)
  return {
    status: Number(status),
    ...(length !== undefined && !chunked && { length: Number(length) }),
    chunked,
    keptAlive: minor === '1' ? connection !== 'close' : connection === 'keep-alive',
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

const fields = new Map(
  ['content-length', 'transfer-encoding', 'connection', 'retry-after'].map((name) => [
    name,
    new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]*)`, 'i'),
  ]),
)

function fieldIn(text: string, name: string): string | undefined {
  return fields.get(name)?.exec(text)?.[1]?.trim()
}

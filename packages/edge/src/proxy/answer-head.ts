/** The head of a backend's answer, as the client gets it. */
import { fateOf, namedInConnection } from './header-names.ts'

export type AnswerHead = {
  /** Names and values in turn. */
  readonly headers: string[]
  /** How long the body is; undefined where the backend did not say. */
  readonly length: number | undefined
  /** Header fields may follow the body. */
  readonly trailers: boolean
}

/** `raw` as it came from the wire: bytes, names and values in turn. */
export function answerHead(raw: readonly Buffer[]): AnswerHead {
  const headers: string[] = []
  let length: number | undefined
  let dropped: readonly string[] = []
  let trailers = false
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toString('latin1') ?? ''
    const value = raw[at + 1]?.toString('latin1') ?? ''
    switch (fateOf(name)) {
      case 'connection':
        dropped = [...dropped, ...namedInConnection(value)]
        break
      case 'encoding':
        break
      case 'hop':
        if (name.toLowerCase() !== 'trailer') break
        trailers = true
        headers.push(name, value)
        break
      case 'length':
        length = Number(value)
        headers.push(name, value)
        break
      default:
        headers.push(name, value)
    }
  }
  if (dropped.length === 0) return { headers, length, trailers }
  return { headers: kept(headers, dropped), length, trailers }
}

function kept(headers: readonly string[], dropped: readonly string[]): string[] {
  return headers.filter((_, at) => !dropped.includes((headers[at - (at % 2)] ?? '').toLowerCase()))
}

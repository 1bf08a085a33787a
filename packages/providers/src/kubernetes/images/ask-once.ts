/** One question over HTTP, on a connection of its own. */
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { type Call, Fault, onAbort } from '@gantry/core'

export type Question = {
  readonly method: 'HEAD' | 'GET'
  readonly headers: Readonly<Record<string, string>>
  /** Whom servers are vouched for by; left out: those whom the runtime trusts. */
  readonly ca?: string
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** As long as registries take a manifest themselves. */
const longestBody = 4 * 1024 * 1024

/** Throws `engine_unreachable` for whatever is no answer. */
export function askOnce(url: URL, { method, headers, ca }: Question, { signal }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const options = { method, headers, agent: false } as const
    const question =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, ...(ca !== undefined && { ca }) })
        : plainRequest(url, options)
    const leave = onAbort(signal, () => question.destroy())
    const fail = (cause: Error): void => {
      leave()
      question.destroy()
      const why = new Fault('engine_unreachable', `${url.host} cannot be asked: ${cause.message}`, { cause })
      reject(signal.aborted ? signal.reason : why)
    }
    question.once('error', fail)
    question.once('response', (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= longestBody) chunks.push(chunk)
        else fail(new Error(`it says more than ${longestBody} bytes`))
      })
      answer.once('error', fail)
      answer.once('aborted', () => fail(new Error('it broke off')))
      answer.once('end', () => {
        leave()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) })
      })
    })
    question.end()
  })
}

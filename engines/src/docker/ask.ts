/** The few questions that the rig itself has to the daemon; what a provider asks is the provider's own client. */
import { request } from 'node:http'
import { type Call, Fault, onAbort } from '@gantry/core'

export type Question = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: Uint8Array
  /** Of the body; left out: an archive. */
  readonly type?: string
}

/** The body of the answer; rejects with `engine_refused` if the daemon does not answer, or not with success. */
export function ask(
  socketPath: string,
  { method, path, body, type = 'application/x-tar' }: Question,
  { signal }: Call,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': type, 'content-length': body.length } : {}
    const question = request({ socketPath, method, path, headers, agent: false })
    const leave = onAbort(signal, () => question.destroy(signal.reason as Error))
    const fail = (cause: Error): void => {
      leave()
      const why = `The Docker daemon did not answer ${method} ${path}: ${cause.message}`
      reject(signal.aborted ? signal.reason : new Fault('engine_refused', why, { cause }))
    }
    question.once('error', fail)
    question.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.once('error', fail)
      answer.once('end', () => {
        leave()
        if ((answer.statusCode ?? 500) < 300) resolve(text)
        else reject(new Fault('engine_refused', `The Docker daemon answered ${answer.statusCode}: ${text}`))
      })
    })
    question.end(body)
  })
}

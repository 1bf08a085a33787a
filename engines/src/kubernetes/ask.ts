/** The few questions that the rig itself has to the API; what a provider asks is the provider's own client. */

import type { IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { type Call, Fault, onAbort } from '@gantry/core'

/** By which the API is reached. */
export type Access = { readonly server: string; readonly ca: string; readonly token: string }

export type Question = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

export type Answer = { readonly status: number; readonly text: string }

/** Whatever it answered; rejects with `engine_unreachable` if it did not. */
export async function answerTo(access: Access, question: Question, call: Call): Promise<Answer> {
  const response = await open(access, question, call)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  return { status: response.statusCode ?? 500, text }
}

/** The body of the answer as an object; rejects with `engine_refused` if it is not one of success. */
export async function ask<T>(access: Access, question: Question, call: Call): Promise<T> {
  const { status, text } = await answerTo(access, question, call)
  if (status < 300) return JSON.parse(text) as T
  throw new Fault(
    'engine_refused',
    `The API answered ${status} to ${question.method ?? 'GET'} ${question.path}: ${text}`,
  )
}

/** Makes an object, unless one of its name is there. */
export async function make(access: Access, path: string, body: unknown, call: Call): Promise<void> {
  const { status, text } = await answerTo(access, { method: 'POST', path, body }, call)
  if (status >= 300 && status !== 409)
    throw new Fault('engine_refused', `The API answered ${status} to POST ${path}: ${text}`)
}

/** The answer as it comes: for watches. Each has a connection of its own, so that none is kept after a restart. */
export function open(
  { server, ca, token }: Access,
  { method = 'GET', path, body }: Question,
  { signal }: Call,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
    }
    const options: RequestOptions = { method, ca, headers, agent: new Agent({ keepAlive: false }) }
    const question = request(new URL(path, server), options)
    const leave = onAbort(signal, () => question.destroy(signal.reason as Error))
    question.once('error', (cause) => {
      leave()
      const why = `The API at ${server} did not answer ${method} ${path}: ${cause.message}`
      reject(signal.aborted ? signal.reason : new Fault('engine_unreachable', why, { cause }))
    })
    question.once('response', (answer) => {
      answer.once('close', leave)
      resolve(answer)
    })
    question.end(text)
  })
}

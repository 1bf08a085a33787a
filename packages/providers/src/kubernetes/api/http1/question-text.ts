/** Pure: a question as it goes over the wire, head and body in one. */
import { Fault } from '@gantry/core'
import type { Signed } from '../../config/credentials/credentials.ts'
import type { WireRequest } from '../wire.ts'

/** What a head must not have in it: with it, a token could say more than who asks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const control = /[\x00-\x08\x0a-\x1f\x7f]/

/** What is the same for every question: where it goes, and who asks. */
export function headLines(authority: string, { headers }: Signed): string {
  let lines = `host: ${authority}\r\n`
  for (const [name, values] of Object.entries(headers)) {
    for (const value of typeof values === 'string' ? [values] : values) {
      if (control.test(name) || control.test(value) || value !== Buffer.from(value, 'latin1').toString('latin1')) {
        throw new Fault('engine_unauthenticated', `The ${name} to sign in with has letters in it that none can have`)
      }
      lines += `${name}: ${value}\r\n`
    }
  }
  return lines
}

/** In a path everything else is escaped. */
const unescaped = /[^\x21-\x7e]/

export function questionText(request: WireRequest, path: string, lines: string, body: string | undefined): string {
  const { method, accept = 'application/json', contentType = 'application/json' } = request
  if (unescaped.test(path)) throw new Fault('bad_request', `${path} is no path that can be asked for`)
  const head = `${method} ${path} HTTP/1.1\r\n${lines}accept: ${accept}\r\n`
  if (body === undefined)
    return method === 'POST' || method === 'PUT' ? `${head}content-length: 0\r\n\r\n` : `${head}\r\n`
  return `${head}content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

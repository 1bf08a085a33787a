/** Reads the head of a request once: where it goes, whether a body follows, and what the backend gets to see of it. */
import type { IncomingMessage } from 'node:http'
import { fateOf, namedInConnection } from './header-names.ts'
import { plainAddress } from './trusted.ts'

export type RequestHead = {
  /** As the client wrote it, which is what the backend gets. */
  readonly authority: string
  /** In lower case and without a port, which is what routes go by. */
  readonly host: string
  /** Path and query. */
  readonly path: string
  readonly hasBody: boolean
  /** The client waits for leave to send the body. */
  readonly expectsContinue: boolean
  /** Names and values in turn. */
  readonly headers: string[]
}

/** A head that could be read in two ways is not passed on at all: the backend might read it the other way. */
export type BadHead = { readonly status: 400 | 417; readonly why: string }

export function readHead(request: IncomingMessage, trusts: (address: string) => boolean): RequestHead | BadHead {
  const raw = request.rawHeaders
  const headers: string[] = []
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  const believed = trusts(peer)
  let authority: string | undefined
  let length: string | undefined
  let encoded = false
  let expects: string | undefined
  let dropped: readonly string[] | undefined
  let forwardedFor: string | undefined
  let forwardedHost = false
  let forwardedProto = false
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const value = raw[at + 1] ?? ''
    switch (fateOf(name)) {
      case 'pass':
        headers.push(name, value)
        break
      case 'host':
        if (authority !== undefined) return { status: 400, why: 'It has more than one Host header.' }
        authority = value
        break
      case 'length':
        if (length !== undefined) return { status: 400, why: 'It has more than one Content-Length header.' }
        if (!/^\d+$/.test(value)) return { status: 400, why: 'Its Content-Length is not a number.' }
        length = value
        headers.push(name, value)
        break
      case 'encoding':
        if (encoded || value.toLowerCase() !== 'chunked') {
          return { status: 400, why: 'Its Transfer-Encoding is not just chunked.' }
        }
        encoded = true
        break
      case 'expect':
        expects = value.toLowerCase()
        break
      case 'connection':
        if (!plainConnection.has(value)) dropped = [...(dropped ?? []), ...namedInConnection(value)]
        break
      case 'forwarding': {
        if (!believed) break
        const lower = name.toLowerCase()
        if (lower === 'x-forwarded-for') {
          forwardedFor = forwardedFor === undefined ? value : `${forwardedFor}, ${value}`
          break
        }
        if (lower === 'x-forwarded-host') forwardedHost = true
        if (lower === 'x-forwarded-proto') forwardedProto = true
        headers.push(name, value)
        break
      }
      default:
    }
  }
  if (length !== undefined && encoded) return { status: 400, why: 'It has both Content-Length and Transfer-Encoding.' }
  if (expects !== undefined && expects !== '100-continue') return { status: 417, why: 'It expects what is not known.' }
  const target = readTarget(request.url ?? '', authority)
  if (!target) return { status: 400, why: 'It does not say which host it is for, or not in a way that can be read.' }
  headers.push('host', target.authority)
  headers.push('x-forwarded-for', forwardedFor === undefined ? peer : `${forwardedFor}, ${peer}`)
  if (!forwardedHost) headers.push('x-forwarded-host', target.authority)
  if (!forwardedProto) headers.push('x-forwarded-proto', 'http')
  return {
    ...target,
    hasBody: encoded || (length !== undefined && Number(length) !== 0),
    expectsContinue: expects !== undefined,
    headers: dropped && dropped.length > 0 ? without(headers, dropped) : headers,
  }
}

const plainConnection = new Set(['keep-alive', 'Keep-Alive', 'close', 'Close', 'upgrade', 'Upgrade'])

/** Of a target in absolute form the host counts, whatever the header says. */
function readTarget(
  url: string,
  header: string | undefined,
): Pick<RequestHead, 'authority' | 'host' | 'path'> | undefined {
  if (url.startsWith('/')) return header === undefined ? undefined : at(header, url)
  const absolute = /^https?:\/\/([^/?#]+)([^#]*)$/i.exec(url)
  if (absolute?.[1] === undefined) return undefined
  const path = absolute[2] ?? ''
  return at(absolute[1], path.startsWith('/') ? path : `/${path}`)
}

function at(authority: string, path: string): Pick<RequestHead, 'authority' | 'host' | 'path'> | undefined {
  const known = hosts.get(authority)
  const host = known ?? hostOf(authority)
  if (host === undefined) return undefined
  if (known === undefined && hosts.size < mostHosts) hosts.set(authority, host)
  return { authority, host, path }
}

const hosts = new Map<string, string>()
const mostHosts = 2000

function hostOf(authority: string): string | undefined {
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+?)\.?(?::\d{1,5})?$/i.exec(authority)
  return parts?.[1]?.toLowerCase()
}

function without(headers: readonly string[], names: readonly string[]): string[] {
  const left: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (!names.includes(name.toLowerCase())) left.push(name, headers[at + 1] ?? '')
  }
  return left
}

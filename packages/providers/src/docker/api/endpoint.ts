/** Where an engine listens. */
import { readFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:https'
import { join } from 'node:path'
import { type Call, Fault } from '@gantry/core'

export type Endpoint =
  | { readonly socket: string }
  /** Without `tls` anybody on the way can take the machine over: for loopback only. */
  | { readonly host: string; readonly port: number; readonly tls?: TlsFiles }

/** PEM texts. */
export type TlsFiles = { readonly ca: string; readonly cert: string; readonly key: string }

/** As Docker's own variable has it: `unix:///path` or `tcp://host:port`. */
export function parseEndpoint(text: string, tls?: TlsFiles): Endpoint {
  if (text.startsWith('unix:///')) return { socket: text.slice('unix://'.length) }
  const [, name = '', port] = /^tcp:\/\/(\[[0-9a-f:]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/i.exec(text) ?? []
  if (name === '') {
    const message = `${text} is no address of a Docker Engine; write unix:///path/to/socket or tcp://host:port`
    throw new Fault('bad_document', message)
  }
  const host = name.replace(/^\[|\]$/g, '')
  return { host, port: Number(port ?? (tls ? 2376 : 2375)), ...(tls ? { tls } : {}) }
}

/** The three files that Docker keeps in a folder of certificates. */
export async function readTls(folder: string, { signal }: Call): Promise<TlsFiles> {
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(folder, name), { encoding: 'utf8', signal })),
  )
  return { ca: ca ?? '', cert: cert ?? '', key: key ?? '' }
}

/** For `request` of node:http, or of node:https where there is TLS. */
export function requestOptions(endpoint: Endpoint): RequestOptions {
  if ('socket' in endpoint) return { socketPath: endpoint.socket, headers: { host: 'docker' } }
  const { host, port, tls } = endpoint
  return { host, port, ...tls }
}

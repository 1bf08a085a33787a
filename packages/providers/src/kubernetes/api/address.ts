/** Pure: from a server's address to what connections to it are made with. */
import type { ConnectionOptions } from 'node:tls'

export type Address = {
  /** For people, and for WebSockets. */
  readonly server: string
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** What every path begins with, where the server is behind a path: `/k8s/clusters/c-1`. */
  readonly prefix: string
  readonly tls: TlsTrust
}

/** Whom we believe. */
export type TlsTrust = { readonly ca?: string; readonly insecure: boolean; readonly serverName?: string }

export function addressOf(server: string, tls: TlsTrust): Address {
  const url = new URL(server)
  const secure = url.protocol === 'https:'
  return {
    server,
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    prefix: url.pathname.replace(/\/+$/, ''),
    tls,
  }
}

/** What of it goes into a TLS connection. */
export function tlsOptions(
  { tls: { ca, insecure, serverName } }: Address,
  certificate: { readonly cert: string; readonly key: string } | undefined,
): ConnectionOptions {
  return {
    ...(ca !== undefined && { ca }),
    ...(insecure && { rejectUnauthorized: false }),
    ...(serverName !== undefined && { servername: serverName }),
    ...certificate,
  }
}

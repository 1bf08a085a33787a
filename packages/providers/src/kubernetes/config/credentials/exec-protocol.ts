/** Pure: what an exec plugin is told, and what it says. */
import { Fault } from '@gantry/core'
import type { ClusterConfig, ExecPlugin } from '../cluster-config.ts'

export type PluginAnswer = {
  readonly token?: string
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** Milliseconds since 1970; left out: good until it is refused. */
  readonly expiresAt?: number
}

/** The value of KUBERNETES_EXEC_INFO. `ca` in PEM. */
export function execInfo(plugin: ExecPlugin, config: ClusterConfig, ca: string | undefined): string {
  const cluster = {
    server: config.server,
    ...(config.tlsServerName !== undefined && { 'tls-server-name': config.tlsServerName }),
    ...(config.insecure && { 'insecure-skip-tls-verify': true }),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    config: plugin.clusterExtension ?? null,
  }
  return JSON.stringify({
    apiVersion: plugin.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(plugin.provideClusterInfo && { cluster }) },
  })
}

export function readAnswer(text: string, { apiVersion, command }: ExecPlugin): PluginAnswer {
  const answer = parsed(text, command)
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion) {
    throw broken(
      `${command} answered with ${answer.kind ?? 'no kind'} of ${answer.apiVersion ?? 'no apiVersion'}, and not with an ExecCredential of ${apiVersion}`,
    )
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer.status ?? {}
  if ((cert === undefined) !== (key === undefined)) throw broken(`${command} answered with half a certificate`)
  if (!token && !cert) throw broken(`${command} answered with neither a token nor a certificate`)
  const expiresAt = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp)
  if (Number.isNaN(expiresAt)) throw broken(`${command} answered with the time ${expirationTimestamp}, which is none`)
  return {
    ...(token && { token }),
    ...(cert && key && { certificate: { cert, key } }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

/** What it said is never quoted: it is a secret. */
export function broken(message: string, more: { readonly detail?: string; readonly cause?: unknown } = {}): Fault {
  return new Fault('engine_unauthenticated', `${message}; run it by hand to see why`, more)
}

type Written = {
  readonly apiVersion?: string
  readonly kind?: string
  readonly status?: {
    readonly token?: string
    readonly clientCertificateData?: string
    readonly clientKeyData?: string
    readonly expirationTimestamp?: string
  } | null
}

function parsed(text: string, command: string): Written {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Without the cause: it quotes what was said.
  }
  throw broken(`${command} answered with no JSON object`)
}

/** Why a connection failed, in words. By code where the runtime has one; browsers do not tell. */

type Failure = {
  readonly why: string
  /** Whether the request may have reached the server. */
  readonly sent: boolean
}

const known: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { why: 'nothing listens there. Is "gantry serve" running?', sent: false },
  ENOTFOUND: { why: 'there is no such host', sent: false },
  EAI_AGAIN: { why: 'the name of the host cannot be looked up now', sent: false },
  EHOSTUNREACH: { why: 'there is no way to that host', sent: false },
  ENETUNREACH: { why: 'there is no way to that network', sent: false },
  ETIMEDOUT: { why: 'it did not answer in time', sent: true },
  UND_ERR_CONNECT_TIMEOUT: { why: 'it did not answer in time', sent: false },
  ECONNRESET: { why: 'the connection was cut', sent: true },
  EPIPE: { why: 'the connection was cut', sent: true },
  UND_ERR_SOCKET: { why: 'the connection was cut', sent: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: { why: 'its certificate is its own and is not trusted here', sent: false },
  SELF_SIGNED_CERT_IN_CHAIN: { why: 'its certificate is not trusted here', sent: false },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { why: 'its certificate is not trusted here', sent: false },
  CERT_HAS_EXPIRED: { why: 'its certificate has expired', sent: false },
  ERR_TLS_CERT_ALTNAME_INVALID: { why: 'its certificate is for another name', sent: false },
  ERR_SSL_WRONG_VERSION_NUMBER: { why: 'it does not speak TLS. Is it http:// instead of https://?', sent: false },
}

export function describeFailure(error: unknown): Failure {
  for (const code of codesOf(error)) {
    const failure = Object.hasOwn(known, code) ? known[code] : undefined
    if (failure) return failure
  }
  return { why: 'the connection failed', sent: true }
}

/** Of the error and of those that it was made from. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 5) return []
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  const causes = [cause, ...(Array.isArray(errors) ? errors : [])]
  return [...(typeof code === 'string' ? [code] : []), ...causes.flatMap((one) => codesOf(one, depth + 1))]
}

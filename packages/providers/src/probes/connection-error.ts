/** Why a connection failed, in words. */
export function connectionError(error: Error & { readonly code?: string }): string {
  return (error.code !== undefined && words[error.code]) || error.message
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'the address cannot be reached',
}

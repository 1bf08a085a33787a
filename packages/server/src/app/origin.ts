/**
 * What a page of another site makes a browser send. Nothing here trusts what a browser sends by itself, so no harm could
 * come of it today; it is refused all the same, before anything is looked up, and so stays harmless when cookies come.
 */
import { Fault } from '@gantry/core'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Reading across sites is what the browser itself prevents; it is changes and sockets that it lets through. */
export function refuseForeignOrigin(method: string, headers: Headers): void {
  const isSocket = String(headers.upgrade ?? '').toLowerCase() === 'websocket'
  if (!isSocket && (method === 'GET' || method === 'HEAD' || method === 'OPTIONS')) return
  if (isForeign(headers)) {
    throw new Fault('foreign_origin', 'A page of another site may not do this; ask the server directly')
  }
}

/** Programs other than browsers send none. */
function isForeign({ origin, host }: Headers): boolean {
  if (origin === undefined) return false
  const text = String(origin)
  return !URL.canParse(text) || new URL(text).host !== host
}

/** Pure: what a context is called when nobody says. */
import type { Contexts } from '../../connect/contexts.ts'

/** The one that is for this server already; else after the host. */
export function contextNameFor(server: string, { contexts }: Contexts): string {
  const known = Object.entries(contexts).find(([, context]) => context.server === server)
  if (known) return known[0]
  const { hostname, port } = new URL(server)
  if (hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]') {
    return Object.hasOwn(contexts, 'local') ? `local-${port || '80'}` : 'local'
  }
  return hostname.replaceAll(/[^a-z0-9.-]/gi, '')
}

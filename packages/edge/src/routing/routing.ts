/** A table in force: found by host and path. It is replaced as a whole, so that no request ever sees half of two. */
import type { Counter } from '../figures/counter.ts'
import type { EdgeRoute } from '../table.ts'
import type { LiveSlot } from './choice.ts'

export type LiveRoute = {
  readonly route: EdgeRoute
  readonly slots: readonly LiveSlot[]
  readonly counts: Counter
}

export type Routing = {
  readonly number: number
  readonly routes: readonly LiveRoute[]
  readonly trusts: (address: string) => boolean
  /** The route of this host whose path is the longest beginning of this one. */
  find(host: string, path: string): LiveRoute | undefined
}

export function routingOf(number: number, routes: readonly LiveRoute[], trusts: (address: string) => boolean): Routing {
  const byHost = new Map<string, LiveRoute[]>()
  for (const live of routes) byHost.set(live.route.host, [...(byHost.get(live.route.host) ?? []), live])
  for (const list of byHost.values()) list.sort((one, other) => other.route.path.length - one.route.path.length)
  const find = (host: string, path: string): LiveRoute | undefined =>
    byHost.get(host)?.find(({ route }) => beginsWith(path, route.path))
  return { number, routes, trusts, find }
}

/** `path` as it came, with its query; nothing is decoded, because what a backend makes of `%2e` is for it to say. */
function beginsWith(path: string, prefix: string): boolean {
  if (prefix === '/') return true
  if (!path.startsWith(prefix)) return false
  const next = path.charCodeAt(prefix.length)
  return Number.isNaN(next) || next === slash || next === question || prefix.endsWith('/')
}

const slash = 47
const question = 63

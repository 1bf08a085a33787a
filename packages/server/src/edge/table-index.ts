/** A table by what is asked about it: it may have many thousand routes, and is asked all the time. */
import type { EdgeRoute, EdgeTable } from '@gantry/edge'

export type TableIndex = {
  readonly routesOf: (uid: string) => readonly EdgeRoute[]
  /** Backends of a replica that leaves. */
  readonly leavingOf: (engineId: string) => readonly string[]
}

const indexes = new WeakMap<EdgeTable, TableIndex>()

export function indexOf(table: EdgeTable): TableIndex {
  const known = indexes.get(table)
  if (known) return known
  const made = makeIndex(table)
  indexes.set(table, made)
  return made
}

function makeIndex({ routes, backends }: EdgeTable): TableIndex {
  const byUid = new Map<string, EdgeRoute[]>()
  for (const route of routes) {
    const list = byUid.get(route.workload.uid)
    if (list) list.push(route)
    else byUid.set(route.workload.uid, [route])
  }
  const leaving = backends.flatMap(({ id, leaving: leaves }) => (leaves ? [id] : []))
  return {
    routesOf: (uid) => byUid.get(uid) ?? [],
    leavingOf: (engineId) => leaving.filter((id) => id.startsWith(`${engineId}/`)),
  }
}

/** The first circle in a graph of who waits for whom, from its first name back to it: `[a, b, a]`. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  for (const start of edges.keys()) {
    const way: string[] = []
    const onWay = new Set<string>()
    const cycle = follow(start, way, onWay)
    if (cycle) return cycle
  }
  return undefined

  function follow(name: string, way: string[], onWay: Set<string>): string[] | undefined {
    if (onWay.has(name)) return [...way.slice(way.indexOf(name)), name]
    if (done.has(name)) return undefined
    way.push(name)
    onWay.add(name)
    for (const next of edges.get(name) ?? []) {
      const cycle = follow(next, way, onWay)
      if (cycle) return cycle
    }
    way.pop()
    onWay.delete(name)
    done.add(name)
    return undefined
  }
}

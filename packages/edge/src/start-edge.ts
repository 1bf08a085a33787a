import type { Edge, EdgeOptions } from './edge.ts'

/** Loaded when one is started: most who import this package only talk to an edge, and a proxy takes much memory. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const edge = await import('./edge.ts')
  return await edge.startEdge(options)
}

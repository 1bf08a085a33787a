/** A whole edge in this process, on a port of its own and in a folder of its own, with what a test needs around it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '@gantry/core'
import { connectEdge } from '../control/connect-edge.ts'
import type { EdgeLink } from '../control/edge-link.ts'
import { type Edge, startEdge } from '../edge.ts'
import { controlPath } from '../paths.ts'
import type { EdgeLimits } from '../proxy/limits.ts'
import type { EdgeTable } from '../table.ts'
import { never, until } from './until.ts'

export type EdgeRig = {
  readonly edge: Edge
  readonly link: EdgeLink
  readonly port: number
  readonly dataDir: string
  readonly said: string[]
  swap(table: EdgeTable): Promise<void>
  close(): Promise<void>
}

export async function edgeRig(
  limits: Partial<EdgeLimits> = {},
  table?: EdgeTable,
  clock: Clock = systemClock,
): Promise<EdgeRig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-edge-'))
  const said: string[] = []
  const say = (sentence: string): void => void said.push(sentence)
  const edge = await startEdge({ dataDir, listen: { host: '127.0.0.1', port: 0 }, clock, limits, say })
  const port = await until('the edge listens', () => edge.state().listening?.port)
  const link = await connectEdge(controlPath(dataDir), systemClock, never)
  if (table) await link.swap(table, never)
  return {
    edge,
    link,
    port,
    dataDir,
    said,
    swap: async (next) => void (await link.swap(next, never)),
    close: async () => {
      link.close()
      await edge.stop(0)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The edge, the connection to it, and what keeps its table true: all that routing takes, in order. */

import type { Clock } from '@gantry/core'
import { type Call, Fault } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import type { Log } from '../app/log.ts'
import type { ControlPlaneOptions } from '../control-plane-options.ts'
import type { EngineHub } from '../engines/engine-hub.ts'
import { openEdgeClient } from './edge-client.ts'
import { runEdge } from './run-edge.ts'
import { type EdgeTraffic, edgeTraffic } from './traffic.ts'

export type Routing = {
  readonly traffic: EdgeTraffic
  /** Throws why requests cannot get through. */
  ready(call: Call): Promise<void>
  /** The edge goes on by its last table, unless it is embedded. */
  stop(): Promise<void>
}

type Parts = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  readonly log: Log
  readonly hub: EngineHub
}

const usualPlace = { host: '127.0.0.1', port: 7480 }

/** As clients are told; `undefined`: there is none, or only the edge knows its port. */
export function edgeAddress({
  edge,
  edgeListen: { host, port } = usualPlace,
}: ControlPlaneOptions): string | undefined {
  if (edge === false || port === 0) return undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** `undefined`: nothing is to be routed. */
export async function openRouting(
  options: ControlPlaneOptions,
  parts: Parts,
  call: Call,
): Promise<Routing | undefined> {
  const { edge: mode, data, edgeListen: listen = usualPlace, wrapEdge } = options
  if (mode === false) return undefined
  if (data === undefined) {
    throw new Fault('bad_request', 'An edge keeps its table on disk: give `data`, the folder that it may use')
  }
  const { log, clock } = parts
  const onTrouble = ({ reason, message, detail }: Fault): void =>
    log.warn(message, { reason, ...(detail !== undefined && { detail }) })
  const edge = await runEdge({ mode, data, listen, clock, onTrouble }, call)
  const client = openEdgeClient({ path: edge.path, clock, onTrouble, wrap: wrapEdge })
  const traffic = edgeTraffic({ ...parts, random: Math.random, client, onTrouble })
  traffic.start()
  return {
    traffic,
    async ready(during) {
      const { link } = client
      if (!link) throw new Fault('edge_unreachable', 'The edge cannot be reached; it is started again by itself')
      const { listening, trouble } = await link.state(during)
      if (!listening) throw new Fault('edge_unreachable', trouble ?? 'The edge does not listen yet')
    },
    async stop() {
      await traffic.stop()
      await client.stop()
      await edge.stop()
    },
  }
}

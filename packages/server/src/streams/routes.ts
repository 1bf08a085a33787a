/** Everything that is looked at while it happens. */
import { endpoints } from '@gantry/api'
import type { Clock } from '@gantry/core'
import type { Store } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import type { EngineHub } from '../engines/engine-hub.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { SampleStore } from '../telemetry/samples/sample-store.ts'
import type { Sampler } from '../telemetry/samples/sampler.ts'
import { execRoute } from './exec.ts'
import { logsRoute } from './logs.ts'
import { portForwardRoute } from './port-forward.ts'
import { findWorkload } from './target.ts'

export type StreamDeps = {
  readonly store: Store
  readonly clock: Clock
  readonly hub: EngineHub
  readonly logs: LogStore
  readonly samples: SampleStore
  readonly sampler: Pick<Sampler, 'replicas'>
}

export function streamRoutes(deps: StreamDeps): Routes['streams'] {
  return {
    logs: logsRoute(deps),
    exec: execRoute(deps),
    portForward: portForwardRoute(deps),
    usage: implement(endpoints.streams.usage, async ({ params, query: { minutes = 60 }, access, signal }) => {
      const { metadata } = await findWorkload(deps.store, access, params, { signal })
      const of = { tenant: params.tenant, uid: metadata.uid }
      const kept = await deps.samples.read(of, deps.clock.now() - minutes * 60_000, { signal })
      const replicas = deps.sampler.replicas(metadata.uid)
      return { body: { ...kept, ...(replicas && { replicas: [...replicas] }) } }
    }),
  }
}

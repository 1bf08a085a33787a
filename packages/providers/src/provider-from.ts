/** The fourteen methods, derived once for every engine. */
import { randomUUID } from 'node:crypto'
import { type Capability, systemClock } from '@gantry/core'
import { capabilitiesOf } from './capabilities.ts'
import type { Engine } from './engine.ts'
import { changes } from './from/changes.ts'
import { Converger } from './from/converger.ts'
import type { ProviderDeps, Room } from './from/deps.ts'
import { execIn } from './from/exec.ts'
import { engineHealth } from './from/health.ts'
import { inTime } from './from/in-time.ts'
import { lifecycle } from './from/lifecycle.ts'
import { listOnce } from './from/list-once.ts'
import { instanceLogs } from './from/logs.ts'
import { statusOf } from './from/status.ts'
import type { Provider } from './provider.ts'
import { refKey } from './ref.ts'

const defaultAnswerMs = 15_000

export function providerFrom(behind: Engine, deps: ProviderDeps): Provider {
  const { name, region, location, clock = systemClock, ids = randomUUID, answerMs = defaultAnswerMs } = deps
  const engine = inTime(behind, clock, answerMs)
  const room: Room = { ...deps, engine, clock, ids }
  const converger = new Converger(room)
  const { records } = room
  const { logs, exec, usage, capacity } = engine
  const offered = (): ReadonlySet<Capability> => capabilitiesOf(provider)

  const provider: Provider = {
    name,
    declares: engine.declares,
    ...lifecycle(room, converger, offered),
    ...changes(room, converger, offered),

    async info(call) {
      const { version, limits } = await engine.info(call)
      const place = { ...(region === undefined ? {} : { region }), ...(location ? { location } : {}) }
      return { name, type: engine.type, version, limits, ...place }
    },

    async status(ref, call) {
      const observed = await engine.look(ref, call)
      return statusOf(observed, await records.find(ref, call), new Date(clock.now()))
    },

    async orphans(call) {
      // Listed before the records are read: what is provisioned meanwhile is on record, and not an orphan.
      const seen = await listOnce(engine, clock, call)
      const known = new Set((await records.list(call)).map(({ ref }) => refKey(ref)))
      return seen.filter(({ ref }) => !known.has(refKey(ref)))
    },

    releases: (ref, call) => records.releasesOf(ref, call),

    healthCheck: ({ timeoutMs }, call) => engineHealth(behind, clock, timeoutMs, call),

    // A method is there if and only if the engine has what it takes.
    ...(usage ? { resources: (ref, call) => usage.call(engine, ref, call) } : {}),
    ...(capacity ? { capacity: (call) => capacity.call(engine, call) } : {}),
    ...(exec ? { exec: (ref, request, call) => execIn(engine, exec.bind(engine), ref, request, call) } : {}),
    ...(logs
      ? {
          logs: (ref, options, call) =>
            instanceLogs({ engine, read: logs.bind(engine), feed: converger.feed, clock }, ref, options, call),
        }
      : {}),
  }
  return provider
}

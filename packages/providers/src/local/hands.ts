/** Single replicas on this machine. */
import type { Call } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { ReplicaHands } from '../engine.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { refName } from '../ref.ts'
import type { LiveReplica } from './live-replica.ts'
import { barredFolder } from './passable.ts'
import { instanceKey } from './places.ts'
import { replicaRecord } from './plan.ts'
import { freePorts, type PortRange } from './ports.ts'
import { stalled } from './refusal.ts'
import type { Site } from './site.ts'
import type { User } from './users.ts'
import { before, folderFor, volumesOf } from './volumes.ts'

export type HandsParts = {
  readonly site: Site
  readonly claim: (desired: Desired) => Promise<void>
  /** Who a service of this tenant runs as; `undefined`: as we do. */
  readonly userFor: (desired: Desired) => Promise<User | undefined>
  readonly environment: Readonly<Record<string, string>>
  readonly ports: PortRange
  readonly ids: () => string
}

const lookAgainMs = 500

export function localHands({ site, claim, userFor, environment, ports, ids }: HandsParts): ReplicaHands {
  const { clock, link, random, instances, replicas: records, volumes } = site.parts

  return {
    async create(desired, index, call) {
      await claim(desired)
      const there = site.of(desired.ref).find(({ record }) => record.index === index && !record.terminating)
      if (there && there.record.specHash !== desired.specHash) {
        return waitFor(`replica ${index} of another release to be removed`, lookAgainMs)
      }
      if (!there && isTaken(desired, index)) {
        return waitFor(`an earlier ${refName(desired.ref)} to let go of the volumes of replica ${index}`, lookAgainMs)
      }
      const barred = there ? undefined : await barredFolder(desired, await userFor(desired))
      if (barred !== undefined) {
        site.troubles.note(desired.ref, stalled(barred), index)
        return waitFor(barred, lookAgainMs)
      }
      const begin = async (): Promise<Pass> => {
        const live = there ?? (await makeWhilePreparing(desired, index, call))
        await live.tend(desired, call)
        // Nobody is told before it is durable; meanwhile the processes have begun to start.
        await Promise.all([instances, records, volumes].map((store) => store.settled()))
        return done
      }
      return await site.troubles.mending(desired.ref, begin, index)
    },

    async stop(engineId, graceMs, call) {
      const live = site.replicas.get(engineId)
      if (!live || (await live.stop(graceMs, call))) return done
      return waitFor(`replica ${live.record.index} to end`, lookAgainMs)
    },

    async remove(engineId, call) {
      const live = site.replicas.get(engineId)
      if (!live) return done
      if (!(await live.stop(0, call))) return waitFor(`replica ${live.record.index} to end`, lookAgainMs)
      for (const { id } of live.services.values()) await link.supervisor.remove(id, call)
      await site.forget(live)
      return done
    },
  }

  /** What the supervisor needs a moment for is over when the records are written. */
  async function makeWhilePreparing(desired: Desired, index: number, call: Call): Promise<LiveReplica> {
    const work = [make(desired, index, call), link.supervisor.prepare(call)] as const
    // One that fails is told when the other is not at work any more.
    await Promise.allSettled(work)
    const [live] = await Promise.all(work)
    return live
  }

  async function make(desired: Desired, index: number, call: Call): Promise<LiveReplica> {
    const user = await userFor(desired)
    const wanted = desired.services.flatMap((service) =>
      service.ports.filter(({ hostPort }) => hostPort === 0).map(({ name }) => `${service.name} ${name}`),
    )
    const numbers = await freePorts(wanted.length, ports, held(), random, call)
    const portOf = (service: string, port: string): number => numbers[wanted.indexOf(`${service} ${port}`)] ?? 0
    const engineId = `${instanceKey(desired.ref)}-${index}-${ids()}`
    const createdAt = new Date(clock.now()).toISOString()
    const volumesIn = folderFor(volumes.values(), desired)
    const record = replicaRecord(desired, { engineId, index, createdAt, user, environment, volumesIn, portOf })
    await noteVolumes(desired, index, volumesIn)
    await records.put(engineId, record)
    const live = site.add(record)
    site.telling.changed(desired.ref)
    return live
  }

  /** Of all replicas that are on record, whether they listen yet or not. */
  function held(): Set<number> {
    const all = records.values().flatMap(({ services }) => services)
    return new Set(all.flatMap((service) => service.ports.map(({ number }) => number)))
  }

  /** What is in them from an earlier life stays. */
  async function noteVolumes(desired: Desired, index: number, folder: string): Promise<void> {
    for (const volume of volumesOf(desired, index, folder)) {
      const known = before(volumes.values(), volume)
      await volumes.put(volume.id, volume)
      for (const { id } of known) if (id !== volume.id) await volumes.delete(id)
    }
  }

  /** Whether one that had this name before, and that nobody answers for any more, still runs with these volumes. */
  function isTaken(desired: Desired, index: number): boolean {
    const wanted = volumesOf(desired, index, folderFor(volumes.values(), desired))
    const known = wanted.flatMap((volume) => before(volumes.values(), volume))
    return known.some(({ ref }) => ref.uid !== desired.ref.uid && site.of(ref).length > 0)
  }
}

/** Single replicas on this machine. */
import { type Call, isFault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { ReplicaHands } from '../engine.ts'
import { labelsOf } from '../labels.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { refKey } from '../ref.ts'
import { isErrno } from './errno.ts'
import type { LiveReplica } from './live-replica.ts'
import { instanceKey } from './places.ts'
import { replicaRecord } from './plan.ts'
import { freePorts, type PortRange } from './ports.ts'
import type { Site } from './site.ts'
import type { User } from './users.ts'

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
  const { clock, link, random, replicas: records, volumes } = site.parts

  return {
    async create(desired, index, call) {
      await claim(desired)
      const there = site.of(desired.ref).find(({ record }) => record.index === index && !record.terminating)
      if (there && there.record.specHash !== desired.specHash) {
        return waitFor(`replica ${index} of another release to be removed`, lookAgainMs)
      }
      return await mended(desired, index, async () => {
        const live = there ?? (await make(desired, index, call))
        await live.tend(desired, call)
      })
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

  async function make(desired: Desired, index: number, call: Call): Promise<LiveReplica> {
    const user = await userFor(desired)
    const wanted = desired.services.flatMap((service) =>
      service.ports.filter(({ hostPort }) => hostPort === 0).map(({ name }) => `${service.name} ${name}`),
    )
    const numbers = await freePorts(wanted.length, ports, held(), random, call)
    const portOf = (service: string, port: string): number => numbers[wanted.indexOf(`${service} ${port}`)] ?? 0
    const engineId = `${instanceKey(desired.ref)}-${index}-${ids()}`
    const createdAt = new Date(clock.now()).toISOString()
    const record = replicaRecord(desired, { engineId, index, createdAt, user, environment, portOf })
    await noteVolumes(desired, index)
    await records.put(engineId, record)
    const live = site.add(record)
    site.changed(desired.ref)
    return live
  }

  /** Of all replicas that are on record, whether they listen yet or not. */
  function held(): Set<number> {
    const all = records.values().flatMap(({ services }) => services)
    return new Set(all.flatMap((service) => service.ports.map(({ number }) => number)))
  }

  /** One per replica and name; what is in it from an earlier life stays. */
  async function noteVolumes(desired: Desired, index: number): Promise<void> {
    const { ref, installation } = desired
    for (const { name, type, retain } of desired.services.flatMap((service) => service.volumes)) {
      if (type !== 'persistent') continue
      const id = `${instanceKey(ref)}-${index}-${name}`
      await volumes.put(id, {
        id,
        ref,
        installation,
        labels: labelsOf(desired, { replica: index }),
        name,
        index,
        retain,
      })
    }
  }

  /** What the machine refuses (a full disk, a folder that is not ours) is said and tried again, not thrown. */
  async function mended(desired: Desired, index: number, work: () => Promise<void>): Promise<Pass> {
    const key = refKey(desired.ref)
    try {
      await work()
    } catch (error) {
      const message = refusal(error)
      if (message === undefined) throw error
      const known = site.troubles.get(key)
      const at = known?.message === message ? known.at : new Date(clock.now())
      site.troubles.set(key, { reason: 'rollout_stalled', message, at, replica: index })
      site.changed(desired.ref)
      return waitFor(message, lookAgainMs)
    }
    if (site.troubles.delete(key)) site.changed(desired.ref)
    return done
  }
}

/** A sentence about what the machine refused; `undefined`: it was something else. */
function refusal(error: unknown): string | undefined {
  if (isErrno(error, 'ENOSPC', 'EDQUOT')) {
    return `the disk is full: ${error.path ?? 'a file'} cannot be written; make room`
  }
  if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) {
    return `${error.path ?? 'a file'} cannot be written (${error.code}); give the server access to it`
  }
  return isFault(error) && error.reason === 'engine_refused' ? error.message : undefined
}

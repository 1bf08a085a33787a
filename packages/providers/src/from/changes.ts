/** deploy, rollback, scale: every one of them ends in a release that the instance is brought to. */
import { asFault, type Call, type Capability, Fault, isFault, type StrategySpec, type StrategyType } from '@gantry/core'
import { nearestWay } from '../capabilities.ts'
import type { Deployed, InstanceStatus, Provider } from '../provider.ts'
import type { InstanceRecord } from '../records.ts'
import { type Ref, refKey, refName } from '../ref.ts'
import type { Release } from '../release.ts'
import { checkSpec, contentOf } from './check-spec.ts'
import type { Converger } from './converger.ts'
import type { Room } from './deps.ts'
import { desiredOf } from './desired-of.ts'
import { deployServices, scaleServices } from './draft-release.ts'
import { admit } from './lifecycle.ts'
import { releaseFor } from './new-release.ts'
import { refuseUnsupported } from './refuse.ts'
import { statusOf } from './status.ts'

type Changes = Pick<Provider, 'deploy' | 'rollback' | 'scale'>

export function changes(room: Room, converger: Converger, offered: () => ReadonlySet<Capability>): Changes {
  const { engine, records } = room

  return {
    async deploy(ref, { services, strategy }, call) {
      const before = await converger.record(ref, call)
      const running = await converger.release(before.release, call)
      const record = strategy ? { ...before, strategy: inPlace(strategy, before.strategy) } : before
      await admit(room, 'deploy', before, call)
      const listed = (name: string): boolean => services.some((service) => service.name === name)
      const draft = {
        ref,
        services: deployServices(running.services, services),
        source: running.source,
        running,
        version: before.releases + 1,
        renews: { secrets: listed, images: listed },
        always: true,
      }
      const release = await releaseFor(room, draft, call)
      return { release, status: await roll('Deploying', { ...record, release: release.id }, release, before, call) }
    },

    async rollback(ref, id, call) {
      const before = await converger.record(ref, call)
      const release = await converger.release(id, call)
      if (release.instance !== refKey(ref)) {
        const message = `Release ${id} is of another instance than ${refName(ref)}; only its own can be brought back`
        throw new Fault('release_of_another', message)
      }
      await admit(room, 'rollback', before, call)
      return { release, status: await roll('Rolling back', { ...before, release: id }, release, before, call) }
    },

    async scale(ref, request, call) {
      const before = await converger.record(ref, call)
      const running = await converger.release(before.release, call)
      await admit(room, 'scale', before, call)
      const services = scaleServices(running.services, request)
      // What merely gets more memory keeps the secrets and images it has.
      const renews = { secrets: () => false, images: () => false }
      const { source } = running
      const draft = { ref, services, source, running, version: before.releases + 1, renews, always: false }
      const release = await releaseFor(room, draft, call)
      const record = { ...before, replicas: request.replicas ?? before.replicas, release: release.id }
      return await roll('Scaling', record, release, before, call)
    },
  }

  async function roll(
    what: string,
    next: InstanceRecord,
    release: Release,
    before: InstanceRecord,
    call: Call,
  ): Promise<InstanceStatus> {
    checkSpec(next.ref, { ...next, ...contentOf(release) }, next.labels)
    refuseUnsupported(engine, offered(), await desiredOf(room, next, release, call), next.strategy)
    const counted = { ...next, releases: Math.max(before.releases, release.version) }
    // How a single deploy rolls is not how all later ones do.
    const saved = await records.save({ ...counted, strategy: before.strategy }, release, call)
    try {
      await converger.reach(what, { ...saved, strategy: next.strategy }, release, call)
    } catch (error) {
      throw await fallBack(saved, error, call)
    }
    return await looked(next.ref, call)
  }

  /** A release that cannot come up gives way to the last one that was; a lost engine or a caller who left decides nothing. */
  async function fallBack(failed: InstanceRecord, error: unknown, call: Call): Promise<unknown> {
    const { settled, strategy } = failed
    const decided = isFault(error) && !call.signal.aborted && failures.has(error.reason)
    if (!decided || strategy.onFailure !== 'rollback' || settled === undefined || settled === failed.release)
      return error
    const release = await converger.release(settled, call)
    const record = await records.save({ ...failed, release: settled }, undefined, call)
    try {
      await converger.reach('Falling back', record, release, call)
    } catch (worse) {
      const more = `going back to v${release.version} failed too: ${asFault(worse).message}`
      return new Fault(error.reason, `${error.message}; ${more}`, { cause: error })
    }
    return new Fault(error.reason, `${error.message}; it runs v${release.version} again`, { cause: error })
  }

  async function looked(ref: Ref, call: Call): Promise<Deployed['status']> {
    const [observed, record] = [await engine.look(ref, call), await records.find(ref, call)]
    const status = statusOf(observed, record, new Date(room.clock.now()))
    if (status) return status
    throw new Fault('instance_not_found', `${refName(ref)} was removed while it was being changed`)
  }

  function inPlace(type: StrategyType, before: StrategySpec): StrategySpec {
    const { minReadySeconds, progressDeadlineSeconds, onFailure } = before
    const gates = { minReadySeconds, progressDeadlineSeconds, onFailure }
    if (type === 'recreate') return { type, ...gates }
    if (type === 'rolling')
      return before.type === 'rolling' ? before : { type, maxSurge: 0, maxUnavailable: 1, ...gates }
    const message = `A deploy changes one instance in place; ${type} fills the other slot, which a rollout does`
    const path = 'strategy'
    const nearest = `${message}; ${nearestWay('strategy:canary', new Set(['strategy:rolling']))}`
    throw new Fault('capability_missing', nearest, { issues: [{ path, message }] })
  }
}

/** Verdicts on the release itself. */
const failures: ReadonlySet<string> = new Set([
  'deadline_exceeded',
  'init_failed',
  'image_pull_failed',
  'rollout_stalled',
])

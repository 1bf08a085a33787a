/** provision, deprovision, start, stop, restart. */
import { type Action, admitAction, type Call, type Capability, type InstanceState } from '@gantry/core'
import type { Observed } from '../observed.ts'
import type { Provider, Provisioned, ProvisionRequest } from '../provider.ts'
import type { InstanceRecord } from '../records.ts'
import type { Ref } from '../ref.ts'
import type { Release } from '../release.ts'
import { checkSpec, contentOf } from './check-spec.ts'
import type { Converger } from './converger.ts'
import type { Room } from './deps.ts'
import { desiredOf } from './desired-of.ts'
import { releaseFor } from './new-release.ts'
import { refuseUnsupported } from './refuse.ts'
import { stateForActions, statusOf } from './status.ts'

type Lifecycle = Pick<Provider, 'provision' | 'deprovision' | 'start' | 'stop' | 'restart'>

export function lifecycle(room: Room, converger: Converger, offered: () => ReadonlySet<Capability>): Lifecycle {
  const { engine, records, ids } = room

  return {
    async provision(request, call) {
      checkSpec(request.ref, request.spec, request.labels)
      const before = await records.find(request.ref, call)
      if (before) await admit(room, 'provision', before, call)
      const { record, release } = await draft(request, before, call)
      refuseUnsupported(engine, offered(), await desiredOf(room, record, release, call), record.strategy)
      await converger.reach('Provisioning', await records.save(record, release, call), release, call)
      return provisioned(release, await engine.look(request.ref, call))
    },

    async deprovision(ref, { retained = 'keep' }, call) {
      const record = await records.find(ref, call)
      if (record && !record.removing) await records.save({ ...record, removing: true }, undefined, call)
      await converger.remove(ref, retained, (record?.stopGraceSeconds ?? 0) * 1000, call)
      await records.forget(ref, call)
    },

    async start(ref, call) {
      // What has failed for good is not there to be started: new ones take its place.
      const again = (state: InstanceState) => (state === 'failed' ? { restartStamp: ids() } : {})
      await change(ref, 'start', 'Starting', (record, state) => ({ ...record, run: 'running', ...again(state) }), call)
    },

    async stop(ref, call) {
      await change(ref, 'stop', 'Stopping', (record) => ({ ...record, run: 'stopped' }), call)
    },

    async restart(ref, call) {
      await change(ref, 'restart', 'Restarting', (record) => ({ ...record, restartStamp: ids() }), call)
    },
  }

  /** `already` is not taken as reached: whoever asks again wants it true, and a pass that has nothing to do is cheap. */
  async function change(
    ref: Ref,
    action: Action,
    what: string,
    next: (record: InstanceRecord, state: InstanceState) => InstanceRecord,
    call: Call,
  ): Promise<void> {
    const before = await converger.record(ref, call)
    const state = await admit(room, action, before, call)
    const release = await converger.release(before.release, call)
    const wanted = next(before, state)
    // Objects that others wrote are neither stopped nor restarted, and that is said before anything is written.
    if (release.source) checkSpec(ref, { ...wanted, ...contentOf(release) }, wanted.labels)
    await converger.reach(what, await records.save(wanted, undefined, call), release, call)
  }

  async function draft(
    { ref, spec, labels = {} }: ProvisionRequest,
    before: InstanceRecord | undefined,
    call: Call,
  ): Promise<{ record: InstanceRecord; release: Release }> {
    const { services, source, dependsOn: _dependsOn, provider: _provider, ...wishes } = spec
    const running = before && (await records.release(before.release, call))
    // What is asked for again reads its secrets anew, and keeps what its tags meant.
    const renews = { secrets: () => true, images: () => false }
    const version = (before?.releases ?? 0) + 1
    const release = await releaseFor(room, { ref, services, source, running, version, renews, always: false }, call)
    const stamp = wishes.restartStamp ?? before?.restartStamp
    const record: InstanceRecord = {
      ...wishes,
      ref,
      labels,
      ...(stamp === undefined ? {} : { restartStamp: stamp }),
      release: release.id,
      ...(before?.settled === undefined ? {} : { settled: before.settled }),
      releases: Math.max(before?.releases ?? 0, release.version),
      removing: false,
      version: before?.version ?? 0,
    }
    return { record, release }
  }
}

/** Looks first, so that the verdict is about what is, not about what was. */
export async function admit(room: Room, action: Action, record: InstanceRecord, call: Call): Promise<InstanceState> {
  const observed = await room.engine.look(record.ref, call)
  const state = stateForActions(statusOf(observed, record, new Date(room.clock.now())), record)
  admitAction(action, state)
  return state
}

function provisioned(release: Release, observed: Observed | undefined): Provisioned {
  const replicas = (observed?.replicas ?? []).map(({ index, engineId, services }) => ({
    index,
    engineId,
    services: Object.fromEntries(Object.entries(services).map(([name, seen]) => [name, seen.engineId])),
  }))
  const endpoints = [...(observed?.endpoints ?? []), ...(observed?.replicas ?? []).flatMap((each) => each.endpoints)]
  return { release, endpoints, replicas }
}

/** The way every change takes: written down, then made true, then remembered as reached. */
import { type Call, Fault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { Observed } from '../observed.ts'
import type { InstanceRecord } from '../records.ts'
import type { Ref } from '../ref.ts'
import { refName } from '../ref.ts'
import type { Release } from '../release.ts'
import { type ChangeFeed, changeFeed } from './change-feed.ts'
import type { Room } from './deps.ts'
import { desiredOf } from './desired-of.ts'
import { untilDone } from './until-done.ts'

/** Above the grace that processes are given to end. */
const removalMarginMs = 60_000

export class Converger {
  readonly #room: Room
  readonly feed: ChangeFeed

  constructor(room: Room) {
    this.#room = room
    this.feed = changeFeed(room.engine, room.clock)
  }

  /** Brings the instance to what its record says, and notes the release as reached. */
  async reach(what: string, record: InstanceRecord, release: Release, call: Call): Promise<InstanceRecord> {
    const { engine, clock, records } = this.#room
    const desired = await desiredOf(this.#room, record, release, call)
    const work = {
      what,
      ref: record.ref,
      deadlineMs: deadlineMs(record),
      pass: async (within: Call) => {
        await this.#stillWanted(what, record, within)
        return await engine.converge(desired, within)
      },
      progress: (observed: Observed | undefined) => progressTowards(desired, observed),
      failsOnStall: desired.run === 'running',
    }
    await untilDone(work, { engine, clock, feed: this.feed }, call)
    // What is stopped has not shown that it can run.
    if (record.run === 'stopped' || record.settled === release.id) return record
    return await records.save({ ...record, settled: release.id }, undefined, call)
  }

  /** Resolves when nothing is left on the engine but what is to be retained. */
  async remove(ref: Ref, retained: 'keep' | 'delete', graceMs: number, call: Call): Promise<void> {
    const { engine, clock } = this.#room
    const work = {
      what: 'Removing',
      ref,
      deadlineMs: graceMs + removalMarginMs,
      pass: (within: Call) => engine.remove(ref, { retained }, within),
      progress: (observed: Observed | undefined) => -(observed?.replicas.length ?? 0),
      failsOnStall: false,
    }
    await untilDone(work, { engine, clock, feed: this.feed }, call)
  }

  /** Of two callers who want different things the later one gets its way, and the earlier one is told. */
  async #stillWanted(what: string, { ref, version }: InstanceRecord, call: Call): Promise<void> {
    const current = await this.#room.records.find(ref, call)
    if (current?.version === version) return
    const message = `${what} ${refName(ref)} was given up: a later change has taken over`
    throw new Fault('version_conflict', message)
  }

  async record(ref: Ref, call: Call): Promise<InstanceRecord> {
    const record = await this.#room.records.find(ref, call)
    if (record) return record
    const message = `There is no instance ${refName(ref)} on ${this.#room.name}; provision it first`
    throw new Fault('instance_not_found', message)
  }

  async release(id: string, call: Call): Promise<Release> {
    const release = await this.#room.records.release(id, call)
    if (release) return release
    throw new Fault('release_not_found', `There is no release ${id}; it was never made, or is no longer kept`)
  }
}

function deadlineMs({ run, stopGraceSeconds, strategy }: InstanceRecord): number {
  const graceMs = stopGraceSeconds * 1000
  return graceMs + (run === 'stopped' ? removalMarginMs : strategy.progressDeadlineSeconds * 1000)
}

/** Replicas as wanted count for, others against: it cannot grow for ever, so a deadline on it always comes. */
export function progressTowards(desired: Desired, observed: Observed | undefined): number {
  let score = 0
  for (const { specHash, ready, terminating } of observed?.replicas ?? []) {
    if (terminating || specHash !== desired.specHash) score -= 1
    else if (ready) score += 1
  }
  return desired.run === 'stopped' ? -(observed?.replicas.length ?? 0) : score
}

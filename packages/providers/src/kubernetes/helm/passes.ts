/** Passes towards a release being there, or gone: each looks, takes at most a few small steps, and waits for nothing. */
import { type Call, Fault } from '@gantry/core'
import { label, refFromLabels } from '../../labels.ts'
import type { Observed } from '../../observed.ts'
import { done, type Pass, waitFor } from '../../pass.ts'
import { type Ref, refKey, refName } from '../../ref.ts'
import { namespaceState } from '../apply/namespace-state.ts'
import type { DesiredChart, HelmOptions } from './helm.ts'
import { type NextStep, nextStep, type Wanted } from './next-step.ts'
import { deathOf, failureAfter } from './outcome.ts'
import { rollbackOf, uninstallOf, upgradeOf } from './prepare/preparing.ts'
import type { HelmRecord } from './record.ts'
import { leavingOf, unique, without } from './release/objects.ts'
import type { KnownRevision } from './release/revisions.ts'
import { removeRemnants } from './remnants.ts'
import type { Liveness } from './run/liveness.ts'
import type { HelmRunner } from './runner.ts'
import { settle } from './settle.ts'
import type { HelmStore, Stored } from './store.ts'

export type PassDeps = {
  readonly options: HelmOptions
  readonly store: HelmStore
  readonly runner: HelmRunner
  readonly liveness: Liveness
  /** What is there of it now. */
  readonly observed: (stored: Stored, history: readonly KnownRevision[], call: Call) => Promise<Observed>
}

/** While a helm runs, objects that change ring too. */
const runningMs = 1_000
const soonMs = 250
const mendMs = 60_000
/** Small steps of one pass: what is left behind by a death takes three. */
const mostRounds = 6

type Round = {
  readonly stored: Stored
  /** Of the operation that the record tells of; looked at before the history was read. */
  readonly helm: ReturnType<Liveness['of']> | undefined
  readonly history: readonly KnownRevision[]
  readonly namespace: string
}

export class HelmPasses {
  readonly #deps: PassDeps
  readonly #mended = new Map<string, number>()

  constructor(deps: PassDeps) {
    this.#deps = deps
  }

  async converge(desired: DesiredChart, call: Call): Promise<Pass> {
    const { ref, source } = desired
    const wanted: Wanted = { release: desired.release, specHash: desired.specHash }
    const preparing = this.#preparing(ref, wanted)
    if (preparing) return preparing
    const { store } = this.#deps
    const fresh: HelmRecord = {
      releaseName: source.releaseName ?? ref.workload,
      hooks: source.hooks,
      timeoutSeconds: source.timeoutSeconds,
    }
    let stored = (await store.record(ref, call)) ?? (await store.write(ref, fresh, undefined, call))
    if (stored.ref.uid !== ref.uid) return waitFor(`what is left of an earlier ${refName(stored.ref)} to go`, runningMs)
    for (let round = 0; round < mostRounds; round += 1) {
      // A release cannot be renamed: the old one goes first.
      const isRenamed = stored.record.releaseName !== fresh.releaseName
      const now = await this.#look(stored, call)
      this.#refuseForeign(now)
      const step = this.#next(now, isRenamed ? undefined : wanted)
      if (step.do === 'nothing') {
        if (!isRenamed) return await this.#whenDeployed(desired, now, call)
        const left = await this.#stillLeaving(now, call)
        if (left.length > 0) return waitFor(`${left.join(', ')} to go`, soonMs)
        stored = await store.write(ref, fresh, stored, call)
        continue
      }
      const result = await this.#take(step, now, desired, call)
      if ('state' in result) return result
      stored = result
    }
    return waitFor('the next pass', soonMs)
  }

  async remove(ref: Ref, call: Call): Promise<Pass> {
    const preparing = this.#preparing(ref, undefined)
    if (preparing) return preparing
    const { store } = this.#deps
    let stored = await store.record(ref, call)
    for (let round = 0; round < mostRounds; round += 1) {
      // Of another one by that name, which came after this one had gone.
      if (!stored || stored.ref.uid !== ref.uid) return done
      const seen = await this.#look(stored, call)
      // Somebody else has that name: of us there is nothing but the record.
      const now = this.#isForeign(seen) ? { ...seen, history: [] } : seen
      const step = this.#next(now, undefined)
      if (step.do === 'nothing') {
        const left = await this.#stillLeaving(now, call)
        if (left.length > 0) return waitFor(`${left.join(', ')} to go`, soonMs)
        await store.forget(stored, call)
        this.#mended.delete(refKey(ref))
        return done
      }
      const result = await this.#take(step, now, undefined, call)
      if ('state' in result) return result
      stored = result
    }
    return waitFor('the next pass', soonMs)
  }

  /** What is prepared for another wish is given up; nothing has happened yet. */
  #preparing(ref: Ref, wanted: Wanted | undefined): Pass | undefined {
    const { runner } = this.#deps
    runner.throwTrouble(ref)
    const job = runner.job(ref)
    if (!job?.isPreparing) return undefined
    if (job.specHash !== wanted?.specHash && job.verb !== 'uninstall') {
      job.abort.abort(new Fault('aborted', 'Something else is wanted now'))
      return waitFor(`${job.message} to be given up`, soonMs)
    }
    return waitFor(job.message, soonMs)
  }

  /** A helm that was dead before has written all that it ever will; one that ends only now is not taken for one that was killed. */
  async #look(stored: Stored, call: Call): Promise<Round> {
    const helm = this.#helmOf(stored)
    const namespace = this.#deps.options.namespaceOf(stored.ref.tenant)
    const history = await this.#deps.store.history(namespace, stored.record.releaseName, call)
    return { stored, helm, namespace, history }
  }

  #helmOf({ ref, record: { operation } }: Stored): Round['helm'] {
    const { liveness, runner } = this.#deps
    if (!operation) return undefined
    return runner.job(ref)?.mark === operation.mark ? 'alive' : liveness.of(operation)
  }

  #next({ stored, helm, history }: Round, wanted: Wanted | undefined): NextStep {
    const { options } = this.#deps
    const { operation, failure, known } = stored.record
    return nextStep({
      history,
      now: options.clock.now(),
      ...(known && { known }),
      ...(operation && helm && { operation: { ...operation, helm } }),
      ...(failure && { failure }),
      ...(wanted && { wanted }),
    })
  }

  /** The record as it is then, or what is to be waited for. */
  async #take(
    step: Exclude<NextStep, { readonly do: 'nothing' }>,
    now: Round,
    desired: DesiredChart | undefined,
    call: Call,
  ): Promise<Stored | Pass> {
    const { options, store, liveness } = this.#deps
    const { stored, history, namespace } = now
    const { operation, releaseName } = stored.record
    switch (step.do) {
      case 'wait':
        return await this.#waiting(step, now, call)
      case 'end':
        if (operation) liveness.end(operation)
        return waitFor(`helm ${operation?.verb} to end, since ${step.why}`, soonMs)
      case 'settle':
        if (!operation) return stored
        return await settle(stored, operation, history, { store, clock: options.clock, folder: options.folder }, call)
      case 'unlock':
        await store.unlock(namespace, releaseName, step.revision, call)
        return stored
      case 'upgrade': {
        // Helm says that it has uninstalled while objects still leave; what is made over those goes with them.
        const left = history.length === 0 ? await this.#stillLeaving(now, call) : []
        if (left.length > 0) return waitFor(`${left.join(', ')} to go`, soonMs)
        if (await this.#isNamespaceLeaving(namespace, call))
          return waitFor(`the namespace ${namespace} to go`, runningMs)
        return this.#begin(step, now, desired)
      }
      default:
        return this.#begin(step, now, desired)
    }
  }

  #begin(
    step: Extract<NextStep, { readonly do: 'upgrade' | 'rollback' | 'uninstall' }>,
    { stored, history, namespace }: Round,
    desired: DesiredChart | undefined,
  ): Pass {
    const { options, runner } = this.#deps
    const { record, ref } = stored
    const where = { namespace, releaseName: record.releaseName }
    const common = { stored, namespace, from: step.from }
    if (step.do === 'uninstall' || !desired) {
      const leaving = unique([...(record.leaving ?? []), ...leavingOf(history)])
      const { timeoutSeconds } = record
      runner.begin(ref, {
        ...common,
        verb: 'uninstall',
        ...(desired && { release: desired.release, specHash: desired.specHash }),
        timeoutSeconds,
        prepare: uninstallOf(where, record),
        record: { leaving, ...this.#death(record) },
      })
      return waitFor('helm uninstall', soonMs)
    }
    const { release, specHash, source } = desired
    const { hooks, timeoutSeconds } = source
    const before = step.do === 'rollback' ? history.find(({ revision }) => revision === step.to) : undefined
    const prepare = before
      ? rollbackOf(desired, where, before, options)
      : upgradeOf(desired, where, history.length > 0, options)
    const verb = before ? 'rollback' : 'upgrade'
    const job = runner.begin(ref, {
      ...common,
      verb,
      release,
      specHash,
      timeoutSeconds,
      prepare,
      record: { hooks, timeoutSeconds },
    })
    return waitFor(job.message, soonMs)
  }

  /** Nothing can be made in it any more; whoever calls us makes it anew. Who may not see it finds out by helm's words. */
  async #isNamespaceLeaving(name: string, call: Call): Promise<boolean> {
    return (await namespaceState(this.#deps.options.api, name, call)) === 'leaving'
  }

  /** Of what was there when it was uninstalled. */
  async #stillLeaving({ stored: { record }, namespace }: Round, call: Call): Promise<readonly string[]> {
    const of = { release: record.releaseName, namespace }
    return (await removeRemnants(record.leaving ?? [], of, this.#deps.options.api, call)).left
  }

  /** A first install that died is made room for without being settled: that it died counts all the same. */
  #death({ operation, failure }: HelmRecord): Partial<HelmRecord> {
    if (!operation) return {}
    return { failure: failureAfter(failure, deathOf(operation), operation.specHash, this.#deps.options.clock.now()) }
  }

  async #waiting(
    { for: what, until }: Extract<NextStep, { readonly do: 'wait' }>,
    { stored, history }: Round,
    call: Call,
  ): Promise<Pass> {
    const { observed, options } = this.#deps
    const afterMs = Math.min(runningMs, Math.max(soonMs, until - options.clock.now()))
    if (!stored.record.operation)
      return waitFor(what, stored.record.failure ? Math.max(soonMs, until - options.clock.now()) : afterMs)
    const seen = await observed(stored, history, call)
    const missing = missingIn(seen)
    return waitFor(missing ? `${what}: ${missing}` : what, afterMs)
  }

  /** Helm is done. What failed revisions left goes now, and with `wait` the objects are still looked at: by us too. */
  async #whenDeployed(desired: DesiredChart, now: Round, call: Call): Promise<Pass> {
    const { source, update } = desired
    const { stored, history, namespace } = now
    const { options, observed, store } = this.#deps
    const { leaving, ...rest } = stored.record
    const top = history.at(-1)
    if (leaving && top) {
      const of = { release: rest.releaseName, namespace }
      const { left } = await removeRemnants(without(leaving, top), of, options.api, call)
      if (left.length > 0) return waitFor(`${left.join(', ')} to go`, soonMs)
      await store.write(stored.ref, rest, stored, call)
    }
    const seen = await observed(stored, history, call)
    const lost = lostIn(seen)
    if (lost.length > 0 && (await this.#isNamespaceLeaving(namespace, call)))
      return waitFor(`the namespace ${namespace} to go`, runningMs)
    if (lost.length > 0 && this.#mayMend(stored.ref)) {
      // Helm does not look at what it has made; an upgrade to the same makes it again.
      this.#begin({ do: 'upgrade', from: history.at(-1)?.revision ?? 0 }, now, desired)
      return waitFor(`helm upgrade, since ${lost.join(', ')} is gone`, soonMs)
    }
    if (!source.wait) return done
    const [replica] = seen.replicas
    const missing = missingIn(seen)
    if (!replica?.ready) return waitFor(missing ?? 'its objects', runningMs)
    const needed = update.minReadySeconds * 1000
    const readyMs = replica.readySince ? options.clock.now() - replica.readySince.getTime() : Number.POSITIVE_INFINITY
    return readyMs >= needed ? done : waitFor('its objects to stay ready', Math.max(soonMs, needed - readyMs))
  }

  /** Whoever removes what the chart makes, again and again, is not raced against. */
  #mayMend(ref: Ref): boolean {
    const now = this.#deps.options.clock.monotonic()
    const before = this.#mended.get(refKey(ref))
    if (before !== undefined && now - before < mendMs) return false
    this.#mended.set(refKey(ref), now)
    return true
  }

  /** Whether Helm has a release of that name that is not of this instance: never touched. */
  #isForeign({ history, stored }: Round): boolean {
    const top = history.at(-1)
    const theirs = top && refFromLabels(this.#deps.options.installation, top.labels)
    return top !== undefined && (theirs === undefined || refKey(theirs) !== refKey(stored.ref))
  }

  #refuseForeign(now: Round): void {
    const { history, stored, namespace } = now
    const top = history.at(-1)
    if (!top || !this.#isForeign(now)) return
    const { releaseName } = stored.record
    const theirs = refFromLabels(this.#deps.options.installation, top.labels)
    const whose = top.labels[label.installation]
    const who = theirs
      ? `of ${refName(theirs)}`
      : whose === undefined
        ? 'not made by Gantry'
        : `of the installation ${whose}`
    throw new Fault(
      'foreign_object',
      `The Helm release ${releaseName} in the namespace ${namespace} is ${who}; choose another releaseName, or uninstall it`,
    )
  }
}

/** Objects of the chart that somebody has taken away. What is told of fields, and of the release itself, is no object. */
const lostIn = ({ drift, replicas }: Observed): readonly string[] =>
  drift.filter((path) => Object.hasOwn(replicas[0]?.services ?? {}, path))

/** The first object that is not ready, and why. */
export function missingIn({ stalled, replicas }: Observed): string | undefined {
  if (stalled) return stalled.message
  for (const [name, { ready, message }] of Object.entries(replicas[0]?.services ?? {})) {
    if (ready !== true) return message === undefined ? name : `${name} ${message}`
  }
  return undefined
}

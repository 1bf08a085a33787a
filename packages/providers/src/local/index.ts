/** Processes of this machine: no daemon, no root needed, and no walls between them. */
import { cpus, freemem, totalmem } from 'node:os'
import { type Call, type DeclaredCapability, Fault, type RestartSpec } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { Engine } from '../engine.ts'
import { labelsOf } from '../labels.ts'
import type { Observed } from '../observed.ts'
import { done } from '../pass.ts'
import { type Ref, refKey, refName } from '../ref.ts'
import { replicaSet } from '../replica-set/replica-set.ts'
import { replicaSteps } from '../replica-set/steps.ts'
import { observations } from '../tended/observations.ts'
import { soonReady } from '../tended/soon-ready.ts'
import { updatable } from '../tended/updatable.ts'
import { goesWith } from '../volume-owner.ts'
import { checkDesired, unenforced } from './check.ts'
import { diskBytes } from './disk.ts'
import { execute } from './exec.ts'
import { removeVolume } from './files.ts'
import { localHands } from './hands.ts'
import { readLogs } from './logs.ts'
import { openSite } from './open-site.ts'
import type { LocalOptions } from './options.ts'
import { instanceKey } from './places.ts'
import { usualPorts } from './ports.ts'
import type { InstanceRecord } from './records.ts'
import { usageOf } from './usage.ts'

const declares: ReadonlySet<DeclaredCapability> = new Set([
  'volumes',
  'strategy:rolling',
  'strategy:blue-green',
  'strategy:canary',
  'exec:kill',
  'logs:streams',
])

/** For what is ours and on no record. */
const unknownGraceSeconds = 10

export type LocalEngine = Engine & {
  /** Lets go of the supervisor; what runs goes on running. */
  close(): Promise<void>
}

/** Throws `unavailable` where the supervisor can neither be found nor started. */
export async function localEngine(options: LocalOptions, call: Call): Promise<LocalEngine> {
  const { installation, clock, leaving } = options
  const { site, machine, environment, ids, userFor } = await openSite(options, call)
  const { link, places, instances, volumes } = site.parts
  const ports = options.ports ?? usualPorts
  const hands = localHands({ site, claim, userFor, environment, ports, ids })
  const rules = new Map<string, RestartSpec>()
  /** Of these all was heard in this very moment, and need not be asked for. */
  const heard = new Set<string>()
  const set = replicaSet({ hands, look, leaving, clock })

  /** The rule of restarts is the process's for life: where another is wanted, another replica is. */
  async function look(ref: Ref, within: Call): Promise<Observed | undefined> {
    const key = refKey(ref)
    const [observed, wanted] = [heard.delete(key) ? site.observed(ref) : await site.look(ref, within), rules.get(key)]
    const replicas = observed?.replicas.map((replica) => {
      const rule = site.replicas.get(replica.engineId)?.record.restart
      const same = wanted === undefined || JSON.stringify(rule) === JSON.stringify(wanted)
      return same ? replica : { ...replica, specHash: `${replica.specHash}, with other restarts` }
    })
    return observed && { ...observed, replicas: replicas ?? [] }
  }

  /** Ours from now on, unless it is somebody else's. */
  async function claim(desired: Desired): Promise<void> {
    const { ref, stopGraceSeconds } = desired
    const key = instanceKey(ref)
    const taken = await instances.look(key)
    if (taken && taken.installation !== installation) {
      const message = `${key} is taken by installation ${taken.installation}; it is left alone`
      throw new Fault('foreign_object', `${refName(ref)} cannot be made: ${message}`)
    }
    const notEnforced = unenforced(desired, machine)
    const record: InstanceRecord = { ref, installation, labels: labelsOf(desired), stopGraceSeconds, notEnforced }
    if (JSON.stringify(taken) === JSON.stringify(record)) return
    await instances.note(key, record)
    site.telling.changed(ref)
  }

  return {
    type: 'local',
    declares,
    replicas: hands,

    async info(within) {
      const { version, limits } = await link.supervisor.info(within)
      return { version, limits: [...limits, ...ownLimits(places.memory !== undefined)] }
    },

    check: (desired) => checkDesired(desired, machine),
    plan: replicaSteps,

    async converge(desired, within) {
      const { ref, run, specHash, restart } = desired
      rules.set(refKey(ref), restart)
      return await site.troubles.during(ref, async () => {
        // Of what we know nothing there is nobody to tell anything first, so that it is looked for at once.
        const isFirst = run !== 'stopped' && site.of(ref).length === 0
        const claiming = site.troubles.mending(ref, () => claim(desired).then(() => done))
        const looking = isFirst ? site.look(ref, within) : undefined
        // One that fails is told when the other is not at work any more.
        await Promise.allSettled([claiming, looking])
        const [claimed] = await Promise.all([claiming, looking])
        if (claimed.state === 'yield') return claimed
        // What runs already is told what it is made of: after a restart of the server nobody else knows.
        for (const { record } of run === 'stopped' ? [] : site.of(ref)) {
          if (record.specHash === specHash && !record.terminating) await hands.create(desired, record.index, within)
        }
        const before = new Set(site.of(ref))
        if (isFirst && before.size === 0) heard.add(refKey(ref))
        const pass = await set.converge(updatable(desired), within)
        await instances.settled()
        const isNew = site.of(ref).some((replica) => !before.has(replica))
        if (pass.state === 'done' || !isNew || !(await soonReady(site, ref, within))) return pass
        heard.add(refKey(ref))
        return await set.converge(updatable(desired), within)
      })
    },

    async remove(ref, options, within) {
      const observed = await site.look(ref, within)
      const record = site.instance(ref)
      const pass = await set.drain(ref, (record?.stopGraceSeconds ?? unknownGraceSeconds) * 1000, within)
      if (pass.state === 'yield') return pass
      const isHere = (other: Ref): boolean => site.instance(other) !== undefined || site.of(other).length > 0
      for (const volume of volumes.values()) {
        if (!goesWith(volume, { installation, ref }, options, isHere)) continue
        await removeVolume(places, volume)
        await volumes.delete(volume.id)
      }
      if (record) await instances.delete(instanceKey(ref))
      rules.delete(refKey(ref))
      if (observed) site.gone(ref)
      return done
    },

    look: (ref, within) => site.look(ref, within),
    observe: (within) => observations(site, within),
    logs: (engineId, service, from, within) => readLogs(site, engineId, service, from, within),
    exec: (engineId, service, request, within) => execute(site, engineId, service, request, within),

    async usage(ref, within) {
      const owners = new Map(
        site
          .of(ref)
          .flatMap(({ record, services }) => [...services.values()].map(({ id }) => [id, record.engineId] as const)),
      )
      const parts = await link.supervisor.usage([...owners.keys()], within)
      if (parts.length === 0) return undefined
      return usageOf(parts, owners, await diskBytes(places, site.of(ref), within), clock.now())
    },

    async capacity(within) {
      await link.supervisor.info(within)
      const at = new Date(clock.now())
      return {
        at,
        cpuMillis: { total: cpus().length * 1000 },
        memoryBytes: { total: totalmem(), free: freemem() },
      }
    },

    close: () => site.close(),
  }
}

const ownLimits = (inMemory: boolean): string[] => [
  'Processes see the whole machine: nothing here keeps one workload from another',
  ...(inMemory
    ? []
    : ['This machine has no storage in memory: files of secrets and volumes in memory lie on its disk']),
]

/** A Docker Engine, over its own API: containers, networks and volumes that carry our labels, and nothing else. */
import { randomUUID } from 'node:crypto'
import { type Call, type DeclaredCapability, Fault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { Engine } from '../engine.ts'
import { engineLabel, label } from '../labels.ts'
import type { Observed } from '../observed.ts'
import { done } from '../pass.ts'
import { type Ref, refKey } from '../ref.ts'
import { replicaSet } from '../replica-set/replica-set.ts'
import { replicaSteps } from '../replica-set/steps.ts'
import { findService } from '../tended/find-service.ts'
import { observations } from '../tended/observations.ts'
import { soonReady } from '../tended/soon-ready.ts'
import { updatable } from '../tended/updatable.ts'
import { connectDocker } from './api/connect.ts'
import { checkDesired, unenforced } from './check.ts'
import { engineInfo } from './engine-info.ts'
import { capacityOf } from './figures/capacity.ts'
import { usageMeter } from './figures/usage.ts'
import { dockerHands } from './hands.ts'
import { serviceLogs } from './logs.ts'
import { openSite } from './open-site.ts'
import type { DockerOptions } from './options.ts'
import { saidOfItself } from './said-of-itself.ts'
import { measuredOf } from './site/measured.ts'
import { containerExec } from './streams/exec.ts'

const declares: readonly DeclaredCapability[] = [
  'volumes',
  'strategy:rolling',
  'strategy:blue-green',
  'strategy:canary',
  'logs:streams',
]

/** Where the daemon's machine has it. */
const gpu: readonly DeclaredCapability[] = ['gpu']
const kill: readonly DeclaredCapability[] = ['exec:kill']

/** For what is ours and of which nobody has said how long it may take. */
const unknownGraceSeconds = 10

export type DockerEngine = Engine & {
  /** Lets go of the daemon; what runs goes on running. */
  close(): Promise<void>
}

/** Throws `unavailable` where the daemon cannot be reached. */
export async function dockerEngine(options: DockerOptions, call: Call): Promise<DockerEngine> {
  const { clock, leaving, endpoint, installation } = options
  const timing = options.answerMs === undefined ? { clock } : { clock, answerMs: options.answerMs }
  const api = options.api ?? (await connectDocker(endpoint, call, timing))
  const over = new AbortController()
  const opened = await openSite(options, api, over, call).catch((error: unknown) => {
    if (!options.api) api.close()
    throw error
  })
  const { site, machine, images, networks, volumes, killsCommands } = opened
  const hands = dockerHands({ site, volumes, note, ids: options.ids ?? (() => randomUUID().slice(0, 8)) })
  const set = replicaSet({ hands, look, leaving, clock })
  const meter = usageMeter(api, clock)
  const said = saidOfItself(api.system, () => site.connection)
  const isRemote = !('socket' in endpoint)

  function note(desired: Desired): void {
    site.note(desired, unenforced(desired, machine))
  }

  /** One that somebody changed beyond repair is as good as one of another release. */
  async function look(ref: Ref, within: Call): Promise<Observed | undefined> {
    const observed = await site.look(ref, within)
    const replicas = observed?.replicas.map((replica) => {
      const edited = site.replicas.get(replica.engineId)?.edited
      return edited ? { ...replica, specHash: `${replica.specHash}, changed by somebody` } : replica
    })
    return observed && { ...observed, replicas: replicas ?? [] }
  }

  function containerOf(engineId: string, service: string): string {
    const { container } = findService(site.replicas, engineId, service).service
    if (container) return container.id
    throw new Fault('service_not_running', `Service ${service} of replica ${engineId} has no container yet`)
  }

  return {
    type: 'docker',
    declares: new Set([...declares, ...(machine.gpu ? gpu : []), ...(killsCommands ? kill : [])]),
    replicas: hands,

    async info(within) {
      return engineInfo({ info: await said(within), machine, apiVersion: api.apiVersion, isRemote })
    },

    check: (desired) => checkDesired(desired, machine),
    plan: replicaSteps,

    async converge(desired, within) {
      const { ref, run, specHash } = desired
      note(desired)
      return await site.troubles.during(ref, async () => {
        // What runs already is told what it is made of: after a restart of the server nobody else knows.
        const own = run === 'stopped' ? [] : site.of(ref)
        const current = own.filter(({ record, terminating }) => record.specHash === specHash && !terminating)
        await Promise.all(current.map(({ record }) => hands.create(desired, record.index, within)))
        const before = new Set(site.of(ref))
        const pass = await set.converge(updatable(desired), within)
        const isNew = site.of(ref).some((replica) => !before.has(replica))
        if (pass.state === 'done' || !isNew || !(await soonReady(site, ref, within))) return pass
        return await set.converge(updatable(desired), within)
      })
    },

    async remove(ref, options, within) {
      // As it is known: the drain looks for itself.
      const observed = site.observed(ref)
      const known = site.known(ref)
      const graces = site.of(ref).map(({ record }) => record.stopGraceSeconds)
      const graceSeconds = known?.stopGraceSeconds ?? (graces.length > 0 ? Math.max(...graces) : unknownGraceSeconds)
      const pass = await set.drain(ref, graceSeconds * 1000, within)
      if (pass.state === 'yield') return pass
      await sweep(ref, within)
      const isHere = (other: Ref): boolean => site.known(other) !== undefined || site.of(other).length > 0
      await volumes.leave(ref, options, (other) => refKey(other) !== refKey(ref) && isHere(other), within)
      if (observed || known) site.gone(ref)
      if (!site.has(ref.tenant)) networks.release(ref.tenant, () => site.has(ref.tenant))
      return done
    },

    look: (ref, within) => site.look(ref, within),
    observe: (within) => observations(site, within),
    logs: (engineId, service, from, within) => serviceLogs(site, engineId, service, from, within),
    async exec(engineId, service, request, within) {
      return await containerExec(api, containerOf(engineId, service), request, within, { clock })
    },
    async usage(ref, within) {
      await site.look(ref, within)
      return await meter.usageOf(site.of(ref).flatMap(measuredOf), within)
    },
    capacity: (within) => capacityOf(api, clock, within),
    resolveImage: (wanted, within) => images.resolve(wanted, within),

    async close() {
      over.abort(new Error('the docker engine was closed'))
      await Promise.all([networks.close(), site.close(), images.close()])
      if (!options.api) api.close()
    },
  }

  /** Volumes of replicas that died before they were made. */
  async function sweep({ uid, slot }: Ref, within: Call): Promise<void> {
    const marks = [`${label.installation}=${installation}`, `${label.uid}=${uid}`, `${label.slot}=${slot}`, engineLabel]
    const left = await api.volumes.list({ label: marks }, within)
    await Promise.all(left.map(({ Name }) => api.volumes.remove(Name, within)))
  }
}

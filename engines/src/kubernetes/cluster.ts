/** All parts of one cluster, started in the order in which they need each other. */
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { programEnv } from '../docker/programs.ts'
import type { RestartMode, Site } from '../engine.ts'
import { type Addresses, nodeName } from './addresses.ts'
import { argumentsOf, environmentOf, etcdUrl, type Manner, type PartName } from './arguments.ts'
import { type Access, answerTo, make } from './ask.ts'
import { importImages } from './images.ts'
import type { Inside } from './inside.ts'
import { metricsService, ownObjects } from './objects.ts'
import { type PartPlan, Parts } from './parts.ts'
import * as places from './places.ts'
import { debianOf, metricsServerOf, partOf } from './programs.ts'

const signalOf: Record<RestartMode, NodeJS.Signals> = { fast: 'SIGTERM', immediate: 'SIGKILL' }

/** They list anew with pauses that double each time: nobody who tests what follows a restart means to wait for that. */
const patient = ['controllerManager', 'scheduler', 'proxy'] as const

export type Cluster = {
  /**
   * Starts the API server again, and every other part that somebody has ended or stopped; and those that would wait up to a minute
   * before they ask an API again that was gone for a moment.
   */
  restart(mode: RestartMode, call: Call): Promise<void>
  stop(call: Call): Promise<void>
}

type Ground = {
  readonly site: Site
  readonly inside: Inside
  readonly addresses: Addresses
  readonly access: Access
  readonly manner: Manner
  readonly onFailure: (how: string) => void
}

export async function startCluster(ground: Ground, call: Call): Promise<Cluster> {
  const { site, inside, addresses, access, manner, onFailure } = ground
  const parts = new Parts(site, inside, onFailure)
  const plans = plansOf(ground, { ...(await programEnv(debianOf(site.programs))), ...environmentOf(ground.manner) })

  await together(call, async (call) => {
    await Promise.all([
      startApi(call),
      start('containerd', call).then(() => importImages(site.folder, site.programs, inside, call)),
    ])
    for (const { path, body } of ownObjects(addresses, manner)) await make(access, path, body, call)
    await startRest(call)
  })
  return {
    async restart(mode, call) {
      parts.wakeAll()
      // At once: one that has just begun ends by itself when the API goes, is begun again, and again, and has failed for good by then.
      const stopped = patient.map((name) => parts.stop(name, 'SIGKILL', call))
      await Promise.all([parts.stop('apiserver', signalOf[mode], call), ...stopped])
      await together(call, async (call) => {
        await Promise.all([startApi(call), start('containerd', call)])
        await startRest(call)
      })
    },
    stop: (call) => parts.endAll(call),
  }

  async function start(name: PartName, call: Call): Promise<void> {
    await parts.start(plans[name], call)
  }

  async function startApi(call: Call): Promise<void> {
    await start('etcd', call)
    await start('apiserver', call)
  }

  async function startRest(call: Call): Promise<void> {
    const rest: readonly PartName[] = ['controllerManager', 'scheduler', 'proxy', 'kubelet']
    const figures: readonly PartName[] = manner.metrics ? ['metricsServer'] : []
    await Promise.all([...rest, ...figures].map((name) => start(name, call)))
  }
}

/** When one of several parts does not come up, the others are not waited for any more. */
async function together(call: Call, work: (call: Call) => Promise<void>): Promise<void> {
  const attempt = new AbortController()
  try {
    await work({ signal: AbortSignal.any([call.signal, attempt.signal]) })
  } finally {
    attempt.abort()
  }
}

function plansOf({ site, addresses, access, manner }: Ground, env: Record<string, string>): Record<PartName, PartPlan> {
  const { folder, programs } = site
  const path = `${places.names(folder)}:${env.PATH ?? ''}`
  const plan = (name: PartName, program: string, isUp: PartPlan['isUp']): PartPlan => ({
    name,
    program,
    args: argumentsOf(name, folder, addresses, manner),
    env: { ...env, PATH: path },
    isUp,
  })
  const debian = (name: string): string => join(debianOf(programs), 'usr', 'bin', name)
  const isWell = (path: string) => (call: Call) => answers(access, path, call)
  return {
    etcd: plan('etcd', debian('etcd'), async ({ signal }) => {
      const health = await fetch(`${etcdUrl(addresses)}/health`, { signal }).catch(() => undefined)
      signal.throwIfAborted()
      return health?.ok === true
    }),
    containerd: plan('containerd', debian('containerd'), () => isOpen({ path: places.containerdSocket(folder) })),
    apiserver: plan('apiserver', partOf(programs, 'kube-apiserver'), isWell('/readyz')),
    // It serves nothing itself: the first thing that it makes tells.
    controllerManager: plan('controllerManager', partOf(programs, 'kube-controller-manager'), (call) =>
      answers(access, '/api/v1/namespaces/default/serviceaccounts/default', call),
    ),
    scheduler: plan('scheduler', partOf(programs, 'kube-scheduler'), async () => true),
    // The Service of the API itself is the first that leads somewhere.
    proxy: plan('proxy', partOf(programs, 'kube-proxy'), () => isOpen({ host: addresses.firstService, port: 443 })),
    kubelet: plan('kubelet', partOf(programs, 'kubelet'), (call) => isTrue(access, nodePath, 'Ready', call)),
    metricsServer: plan('metricsServer', metricsServerOf(programs), (call) =>
      isTrue(access, metricsService, 'Available', call),
    ),
  }
}

const patienceMs = 5_000
const nodePath = `/api/v1/nodes/${nodeName}`

type Conditions = { readonly status?: { readonly conditions?: { readonly type: string; readonly status: string }[] } }

async function isTrue(access: Access, path: string, type: string, call: Call): Promise<boolean> {
  const text = await look(access, path, call)
  const conditions = text === undefined ? undefined : (JSON.parse(text) as Conditions).status?.conditions
  return conditions?.some((one) => one.type === type && one.status === 'True') === true
}

async function answers(access: Access, path: string, call: Call): Promise<boolean> {
  return (await look(access, path, call)) !== undefined
}

/** Undefined from an API that is not there, refuses, or takes the question and says nothing. */
async function look(access: Access, path: string, { signal }: Call): Promise<string | undefined> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const { status, text } = await answerTo(access, { path }, { signal: patience })
    return status === 200 ? text : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function isOpen(where: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...where, timeout: 1_000 })
    const done = (open: boolean) => (): void => {
      socket.destroy()
      resolve(open)
    }
    socket.once('error', done(false))
    socket.once('timeout', done(false))
    socket.once('connect', done(true))
  })
}

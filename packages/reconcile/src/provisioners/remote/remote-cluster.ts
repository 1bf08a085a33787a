/**
 * Steps that act on another cluster. It is registered once in a pass by whichever step comes first, and unregistered in
 * the pass in which the last of its steps was seen to be gone.
 */
import { combine } from '../../results/combine.ts'
import { couldNotLook, failed } from '../../results/from-error.ts'
import { done, type Result, waiting } from '../../results/result.ts'
import type { ClusterConfig } from '../cluster-scope.ts'
import { enter } from '../enter.ts'
import type { Pass, Provisioner } from '../provisioner.ts'
import type { ClusterDriver, ClusterSource } from './cluster-source.ts'

export type RemoteClusterOptions = {
  readonly name: string
  readonly source: ClusterSource
  /** Who registers and unregisters it; left out: somebody else does. */
  readonly driver?: ClusterDriver
}

export type OnOptions = {
  /** The cluster is about to vanish as a whole. Not for steps that own something outside, such as load balancers. */
  readonly background?: boolean
}

export interface RemoteCluster {
  /** The step, acting on this cluster. All steps of a cluster must be named before the tree is walked. */
  on(step: Provisioner, options?: OnOptions): Provisioner
}

type Way = { readonly config: ClusterConfig | undefined } | { readonly failed: Result }
type Ready = { readonly config: ClusterConfig } | { readonly failed: Result }

/** What the steps of one cluster share in one pass. Going up and coming down never count together. */
type Shared = { way?: Promise<Way>; ready?: Promise<Ready>; readonly gone: Set<Provisioner> }

export function remoteCluster({ name, source, driver }: RemoteClusterOptions): RemoteCluster {
  const steps = new Set<Provisioner>()
  const identity = {}

  return {
    on(step, { background = false } = {}) {
      steps.add(step)
      return {
        name,
        async provision(pass) {
          const ready = await registered(pass)
          if ('failed' in ready) return ready.failed
          const cluster = { id: source.id, config: ready.config, background: false }
          return combine('', [await enter(step, 'provision', { ...pass, cluster })])
        },
        async deprovision(pass) {
          const way = await lookedUp(pass)
          if ('failed' in way) return way.failed
          const cluster = { id: source.id, config: way.config, background }
          const result = combine('', [await enter(step, 'deprovision', { ...pass, cluster })])
          if (result.state === 'done') await forget(step, pass)
          return result
        },
      }
    },
  }

  function shared({ memo }: Pass): Shared {
    const known = memo.get(identity) as Shared | undefined
    if (known) return known
    const made: Shared = { gone: new Set() }
    memo.set(identity, made)
    return made
  }

  /** One look per pass, and one answer for all. */
  function lookedUp(pass: Pass): Promise<Way> {
    const ours = shared(pass)
    ours.way ??= source.config(pass).then(
      (config) => ({ config }),
      (error: unknown) => ({ failed: couldNotLook('', orReason(pass, error)) }),
    )
    return ours.way
  }

  /** One registration per pass; if it fails, it has failed for every step. */
  function registered(pass: Pass): Promise<Ready> {
    const ours = shared(pass)
    ours.ready ??= register(pass)
    return ours.ready
  }

  async function register(pass: Pass): Promise<Ready> {
    const way = await lookedUp(pass)
    if ('failed' in way) return way
    const { config } = way
    if (!config) return { failed: waiting('', `the kubeconfig of ${source.id}`) }
    try {
      const result = driver ? await driver.register(source.id, config, pass) : done()
      return result.state === 'done' ? { config } : { failed: result }
    } catch (error) {
      return { failed: failed('', orReason(pass, error)) }
    }
  }

  async function forget(step: Provisioner, pass: Pass): Promise<void> {
    const { gone } = shared(pass)
    gone.add(step)
    if (gone.size === steps.size) await driver?.unregister(source.id, pass)
  }
}

/** What was thrown, unless the caller has left: then nobody concludes anything from it. */
function orReason(pass: Pass, error: unknown): unknown {
  pass.signal.throwIfAborted()
  return error
}

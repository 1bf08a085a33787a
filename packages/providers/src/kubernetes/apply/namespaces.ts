/** The namespace of a tenant: made when it is first needed, removed a while after the last of it has gone. */
import { type Call, type Clock, Fault, isFault, withDeadline } from '@gantry/core'
import { label } from '../../labels.ts'
import { done, type Pass, waitFor } from '../../pass.ts'
import type { KubernetesApi, Resource } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { namespaceName } from '../names.ts'
import type { NamespaceChoice } from '../plan/settings.ts'
import { fieldManager } from './applier.ts'
import { type NamespaceState, namespaceState } from './namespace-state.ts'

export type NamespaceParts = {
  readonly api: KubernetesApi
  readonly clock: Clock
  readonly installation: string
  readonly namespaces: NamespaceChoice
  /** On each that we make. */
  readonly labels: Readonly<Record<string, string>>
  readonly life: Call
  readonly doubt: (error: unknown) => void
}

/** Who replaces a workload would only have to make it again, and that takes the cluster seconds. */
const lingerMs = 20_000
/** How long whoever closes waits for those that still linger. */
const closeMs = 3000

/** What may be in a namespace that is somebody else's: with any of it, it stays. */
const telling: readonly Resource[] = [
  resources.pod,
  resources.service,
  resources.configMap,
  resources.secret,
  resources.claim,
  resources.deployment,
  resources.statefulSet,
  resources.daemonSet,
  resources.job,
]

export class Namespaces {
  readonly #parts: NamespaceParts
  /** Seen to be there and ours. */
  readonly #known = new Set<string>()
  /** Being looked at for the last time, and removed. */
  readonly #removing = new Set<string>()
  readonly #leaving = new Map<string, { readonly cancel: () => void; readonly isNeeded: () => Promise<boolean> }>()

  constructor(parts: NamespaceParts) {
    this.#parts = parts
  }

  of(tenant: string): string {
    return namespaceName(this.#parts.namespaces, tenant)
  }

  /** Somebody may have taken it away: looked for again when it is next needed. */
  forget(tenant: string): void {
    this.#known.delete(tenant)
  }

  /** `gone` only where it can be made anew: one that all tenants share is somebody else's to make. */
  async state(tenant: string, call: Call): Promise<NamespaceState> {
    const state = await namespaceState(this.#parts.api, this.of(tenant), call)
    return state === 'gone' && 'shared' in this.#parts.namespaces ? 'unknown' : state
  }

  async ensure(tenant: string, call: Call): Promise<Pass> {
    // Somebody has come: it stays.
    this.#leaving.get(tenant)?.cancel()
    this.#leaving.delete(tenant)
    if (this.#removing.has(tenant)) return waitFor(`namespace ${this.of(tenant)} to be gone`, 500)
    if (this.#known.has(tenant)) return done
    const { api, installation, namespaces, labels } = this.#parts
    const name = this.of(tenant)
    const at = { resource: resources.namespace, name }
    const found = await api.objects.get<KubeObject>(at, call)
    if (found?.metadata.deletionTimestamp !== undefined) return waitFor(`namespace ${name} to be gone`, 500)
    if (!found && 'shared' in namespaces) {
      throw new Fault('engine_rejected', `There is no namespace ${name} on this cluster; make it, or name another one`)
    }
    if (found && !('shared' in namespaces) && found.metadata.labels?.[label.installation] !== installation) {
      const message = `Namespace ${name} is somebody else's; it is left alone: choose another prefix, or name it as \`namespace\``
      throw new Fault('foreign_object', message)
    }
    if (!found) {
      const own = { [label.installation]: installation, [label.tenant]: tenant, [label.role]: 'namespace' }
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { ...labels, ...own } } }
      try {
        await api.objects.create({ resource: resources.namespace }, body, { fieldManager }, call)
      } catch (error) {
        // Somebody was quicker: whose it is, is looked at with the next pass.
        if (isFault(error) && error.reason === 'engine_object_exists') return waitFor(`namespace ${name}`, 50)
        throw error
      }
    }
    if (!(await this.#hasAccount(name, call))) return waitFor(`the account of pods in namespace ${name}`, 100)
    this.#known.add(tenant)
    return done
  }

  /** The cluster makes it a moment after the namespace, and refuses pods until then. Who may not look takes it for granted. */
  async #hasAccount(namespace: string, call: Call): Promise<boolean> {
    const at = { resource: resources.serviceAccount, namespace, name: 'default' }
    try {
      return (await this.#parts.api.objects.get(at, call)) !== undefined
    } catch (error) {
      if (isFault(error) && error.reason === 'engine_forbidden') return true
      throw error
    }
  }

  /** To be removed after a while, unless somebody comes. */
  release(tenant: string, isNeeded: () => Promise<boolean>): void {
    const { clock, life, namespaces, doubt } = this.#parts
    if ('shared' in namespaces) return
    this.#leaving.get(tenant)?.cancel()
    const cancel = clock.after(lingerMs, () => {
      this.#leaving.delete(tenant)
      // What fails is tried again when the next one leaves, or when we come again.
      if (!life.signal.aborted) this.#remove(tenant, isNeeded, life).catch(doubt)
    })
    this.#leaving.set(tenant, { cancel, isNeeded })
  }

  /** Those of tenants that nobody is left of. */
  async releaseUnused(isNeeded: (tenant: string) => Promise<boolean>, call: Call): Promise<void> {
    const { api, installation, namespaces } = this.#parts
    if ('shared' in namespaces) return
    const which = { labelSelector: `${label.installation}=${installation}`, metadataOnly: true }
    const { items } = await api.objects.list({ resource: resources.namespace }, which, call)
    for (const { metadata } of items) {
      const tenant = metadata.labels?.[label.tenant]
      if (tenant !== undefined) this.release(tenant, () => isNeeded(tenant))
    }
  }

  /** Those that were about to go, go now: whoever is closed may never come again. No longer than the cluster answers. */
  async close(): Promise<void> {
    const leaving = [...this.#leaving]
    this.#leaving.clear()
    for (const [, { cancel }] of leaving) cancel()
    const deadline = withDeadline(
      this.#parts.clock,
      closeMs,
      'Removing namespaces that nobody uses',
      new AbortController(),
    )
    try {
      await Promise.all(leaving.map(([tenant, { isNeeded }]) => this.#remove(tenant, isNeeded, deadline)))
    } catch (error) {
      // Found again by whoever opens this cluster next.
      if (!isFault(error)) throw error
    } finally {
      deadline.clear()
    }
  }

  async #remove(tenant: string, isNeeded: () => Promise<boolean>, call: Call): Promise<void> {
    this.#removing.add(tenant)
    try {
      await this.#removeUnused(tenant, isNeeded, call)
    } finally {
      this.#removing.delete(tenant)
    }
  }

  async #removeUnused(tenant: string, isNeeded: () => Promise<boolean>, call: Call): Promise<void> {
    const { api, installation } = this.#parts
    const at = { resource: resources.namespace, name: this.of(tenant) }
    if (await isNeeded()) return
    const found = await api.objects.get<KubeObject>(at, call)
    const isOurs = found?.metadata.labels?.[label.installation] === installation
    if (!found || !isOurs || found.metadata.deletionTimestamp !== undefined) return
    if (await this.#hasAnything(at.name, call)) return
    this.forget(tenant)
    const { uid } = found.metadata
    await api.objects.delete(at, { ...(uid === undefined ? {} : { uid }), propagation: 'background' }, call)
  }

  async #hasAnything(namespace: string, call: Call): Promise<boolean> {
    const all = await Promise.all(
      telling.map((resource) => this.#parts.api.objects.list({ resource, namespace }, { metadataOnly: true }, call)),
    )
    return all.some(({ items }) => items.some(({ metadata }) => metadata.name !== 'kube-root-ca.crt'))
  }
}

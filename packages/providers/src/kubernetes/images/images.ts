/** What images mean. Kubernetes cannot be asked, so their registries are; nodes only say what was put on them by hand. */
import { type Call, type Clock, isFault, withDeadline } from '@gantry/core'
import type { PullCredentials, WantedImage } from '../../desired.ts'
import { isImageId, parseReference, type Reference } from '../../images/reference.ts'
import type { KubernetesApi } from '../api/api.ts'
import { isLoaded, type NodeImages } from './loaded.ts'
import { type RegistryWays, tagDigest } from './tag-digest.ts'

export type ImagesOptions = {
  readonly api: Pick<KubernetesApi, 'raw'>
  readonly clock: Clock
  /** Whether nodes may be seen; asked each time, since rights change. */
  readonly seesNodes: () => boolean
  readonly ways: RegistryWays
  /** How long a registry may take to say it. */
  readonly registryMs?: number
}

/** Those of small clusters, where images are loaded by hand. */
const mostNodes = 20
/** For so long a registry that did not answer is not waited for again: a release may have many services. */
const silenceMs = 60_000

export class Images {
  readonly #options: ImagesOptions
  /** By registry: until when it is left alone. */
  readonly #silent = new Map<string, number>()

  constructor(options: ImagesOptions) {
    this.#options = options
  }

  /** See `Engine.resolveImage`. */
  async resolve({ image, policy, credentials }: WantedImage, call: Call): Promise<string | undefined> {
    const reference = parseReference(image)
    if (reference.digest !== undefined) return image
    // What nodes have, each its own, cannot be told by a name for all of them.
    if (policy === 'never' || isImageId(image)) return undefined
    if (policy === 'if_not_present' && isLoaded(image, await this.#nodes(call))) return undefined
    const digest = await this.#ask(reference, credentials, call)
    return digest === undefined ? undefined : `${reference.name}@${digest}`
  }

  async #nodes(call: Call): Promise<readonly NodeImages[]> {
    const { api, seesNodes } = this.#options
    if (!seesNodes()) return []
    try {
      const path = `/api/v1/nodes?limit=${mostNodes}`
      return (await api.raw<{ readonly items?: readonly NodeImages[] }>(path, call))?.items ?? []
    } catch (error) {
      if (isFault(error) && error.reason === 'engine_forbidden') return []
      throw error
    }
  }

  /** Undefined where it does not say, for whatever reason: whether the image can be had is for the kubelet to find out. */
  async #ask(reference: Reference, credentials: PullCredentials | undefined, call: Call): Promise<string | undefined> {
    const { clock, ways, registryMs = 5_000 } = this.#options
    const { registry, name } = reference
    if (clock.now() < (this.#silent.get(registry) ?? 0)) return undefined
    const deadline = withDeadline(clock, registryMs, `The registry's word on ${name}`, call)
    try {
      return await tagDigest(reference, credentials, ways, deadline)
    } catch (error) {
      call.signal.throwIfAborted()
      if (deadline.passed()) this.#leaveAlone(registry)
      else if (!isFault(error, 'unavailable')) throw error
      return undefined
    } finally {
      deadline.clear()
    }
  }

  #leaveAlone(registry: string): void {
    const now = this.#options.clock.now()
    for (const [each, until] of this.#silent) if (until <= now) this.#silent.delete(each)
    this.#silent.set(registry, now + silenceMs)
  }
}

/** From an engine to its images. */
import { createHmac, randomBytes } from 'node:crypto'
import { type Call, type Clock, Fault } from '@gantry/core'
import type { PullCredentials } from '../../desired.ts'
import type { DockerApi } from '../api/api.ts'
import type { Image } from '../api/types/images.ts'
import type { ImageState, Images, ImageWant } from './images.ts'
import { Pulls } from './pulls.ts'
import { resolveImage } from './resolve.ts'
import { isFor, platformFrom, platformWords, type Source, sourceOf } from './source.ts'

export type DockerImagesOptions = {
  readonly api: Pick<DockerApi, 'images' | 'system'>
  readonly clock: Clock
  /** Told when what `waiting` answers of an owner is another: at most once a second for mere progress. */
  readonly changed: (owner: string) => void
  /** The folder of Docker's own settings, whose accounts are used where a service names none; left out: none. */
  readonly dockerConfig?: string
  /** How long a pull may go without a word, and a registry without saying what a tag means. */
  readonly silentMs?: number
  readonly registryMs?: number
}

type Entry = {
  readonly want: ImageWant
  readonly source: Source
  readonly key: string
  /** Since the owner came. */
  isPulled: boolean
  /** What is wrong without a pull. */
  refused?: ImageState
}

export function dockerImages(options: DockerImagesOptions): Images {
  const { api, clock, changed, dockerConfig: settings, silentMs = 300_000, registryMs = 10_000 } = options
  const { images } = api
  const owners = new Map<string, Map<string, Entry>>()
  const pulls = new Pulls({ images, clock, settings, silentMs, changed, arrived })
  /** Makes logins comparable without keeping them. */
  const salt = randomBytes(32)
  let engine: { readonly os: string; readonly architecture: string } | undefined

  return {
    async ensure(owner, wants, call) {
      const entries = entriesFor(owner, wants)
      const states = await Promise.all(
        [...entries].map(async ([service, entry]) => [service, await stateOf(owner, entry, call)] as const),
      )
      return Object.fromEntries(states)
    },

    waiting(owner) {
      const all = [...(owners.get(owner) ?? [])].map(([service, entry]) => [service, notHere(entry)] as const)
      return Object.fromEntries(all.flatMap(([service, state]) => (state ? [[service, state]] : [])))
    },

    leave(owner) {
      const entries = owners.get(owner)
      owners.delete(owner)
      for (const { key } of entries?.values() ?? []) pulls.leave(owner, key)
    },

    resolve: (wanted, call) => resolveImage(wanted, { images, clock, settings, registryMs }, call),
    close: () => pulls.close(),
  }

  /** What was wanted before stays as it is; what is not wanted any more is left. */
  function entriesFor(owner: string, wants: Readonly<Record<string, ImageWant>>): Map<string, Entry> {
    const before = owners.get(owner)
    const entries = new Map(
      Object.entries(wants).map(([service, want]): [string, Entry] => {
        const source = sourceOf(want)
        const key = keyOf(want, source)
        const known = before?.get(service)
        return [service, known?.key === key ? known : { want, source, key, isPulled: false }]
      }),
    )
    owners.set(owner, entries)
    const keys = new Set([...entries.values()].map(({ key }) => key))
    for (const { key } of before?.values() ?? []) if (!keys.has(key)) pulls.leave(owner, key)
    return entries
  }

  async function stateOf(owner: string, entry: Entry, call: Call): Promise<ImageState> {
    const { want, source, key } = entry
    const found = await look(want, source, call)
    const isWanted = [...(owners.get(owner)?.values() ?? [])].includes(entry)
    if (!isWanted) throw new Fault('aborted', `${owner} does not want ${want.image} any more`)
    const isEnough = found && (want.policy !== 'always' || entry.isPulled)
    if (isEnough) return await here(owner, entry, found, call)
    if (want.policy === 'never' || source.pulled === undefined) {
      entry.refused ??= refusal(want, source)
      return entry.refused
    }
    const { image, credentials, platform } = want
    const extra = { ...(credentials && { credentials }), ...(platform !== undefined && { platform }) }
    pulls.join(owner, key, { image, ...source, pulled: source.pulled, ...extra })
    // It can be no other content, and whoever may not have it is told by the registry: any other trouble is none.
    const trouble = pulls.trouble(key)
    if (found && source.isExact && trouble !== undefined && trouble !== 'denied') {
      entry.isPulled = true
      return await here(owner, entry, found, call)
    }
    return notHere(entry) ?? { state: 'pulling', message: `pulling ${image}`, since: new Date(clock.now()) }
  }

  async function look({ platform }: ImageWant, { meant }: Source, call: Call): Promise<Image | undefined> {
    const found = await images.inspect(meant, call)
    return found && platform !== undefined && !isFor(found, platformFrom(platform)) ? undefined : found
  }

  async function here(owner: string, entry: Entry, image: Image, call: Call): Promise<ImageState> {
    const { want, key } = entry
    delete entry.refused
    pulls.leave(owner, key)
    engine ??= await enginePlatform(api, call)
    if (isFor(image, engine)) return { state: 'here', image }
    const place = `${engine.os}/${engine.architecture}`
    const warning = `image ${want.image} is for ${platformWords(image)}, and this engine is ${place}; it may not start`
    return { state: 'here', image, warning }
  }

  function arrived(owner: string, key: string): void {
    for (const entry of owners.get(owner)?.values() ?? []) if (entry.key === key) entry.isPulled = true
  }

  function notHere({ key, refused }: Entry): ImageState | undefined {
    return refused ?? pulls.state(key)
  }

  function refusal({ image, policy }: ImageWant, { meant }: Source): ImageState {
    const why =
      policy === 'never'
        ? `it is not on the engine, and imagePullPolicy is never`
        : `it is not on the engine, and no registry knows an image by its id`
    const name = meant === image ? image : `${image} (${meant})`
    const now = new Date(clock.now())
    const message = `Image ${name} cannot be had: ${why}; load it there, or let it be pulled`
    return { state: 'failed', reason: 'image_pull_failed', message, at: now, againAt: now }
  }

  function keyOf({ policy, credentials, platform }: ImageWant, { meant, pulled }: Source): string {
    return JSON.stringify([meant, pulled, platform, policy === 'never', credentials && loginOf(credentials)])
  }

  function loginOf({ username, password }: PullCredentials): string {
    const [name, word] = [username.revealBytes(), password.revealBytes()]
    return createHmac('sha256', salt).update(`${name.length}:`).update(name).update(word).digest('base64')
  }
}

async function enginePlatform({ system }: Pick<DockerApi, 'system'>, call: Call) {
  const { Os, Arch } = await system.version(call)
  return { os: Os, architecture: Arch }
}

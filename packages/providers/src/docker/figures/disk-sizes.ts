/** What containers and volumes take on the engine's disk. Counting files is slow, so it is done seldom, and not waited for long. */
import { type Call, type Clock, isFault, orAbort, withDeadline } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import type { Measured } from './figures.ts'

const keptMs = 60_000
/** What took long to count is kept so many times as long, so that the engine's disk has other things to do meanwhile. */
const restTimes = 20
/** An engine refuses to count while it counts for somebody else. */
const againMs = 5_000
/** A figure of disks is not worth that the others are late. */
const waitMs = 1_000
const countMs = 60_000

type Sizes = ReadonlyMap<string, number>
type Counting = { readonly since: number; readonly sizes: Promise<Sizes | undefined>; keptMs: number }

export class DiskSizes {
  readonly #api: DockerApi
  readonly #clock: Clock
  readonly #layers = new Map<string, Counting>()
  #volumes: Counting | undefined

  constructor(api: DockerApi, clock: Clock) {
    this.#api = api
    this.#clock = clock
  }

  /** `undefined` where one of them is not known, or not yet. */
  async bytes(containers: readonly Measured[], call: Call): Promise<number | undefined> {
    const names = [...new Set(containers.flatMap(({ volumes = [] }) => volumes))]
    const ids = containers.map(({ id }) => id)
    const counting = [this.#layersOf(ids), ...(names.length > 0 ? [this.#volumeSizes()] : [])]
    const [layers, volumes] = await this.#inTime(Promise.all(counting), call)
    const sizes = [...ids.map((id) => layers?.get(id)), ...names.map((name) => volumes?.get(name))]
    return sizes.reduce((total, size) => (total === undefined || size === undefined ? undefined : total + size), 0)
  }

  #layersOf(ids: readonly string[]): Promise<Sizes | undefined> {
    const key = [...ids].sort().join()
    const now = this.#clock.now()
    for (const [each, { since, keptMs: kept }] of this.#layers) if (now - since >= kept) this.#layers.delete(each)
    const known =
      this.#layers.get(key) ??
      this.#counting(async (call) => {
        const found = await this.#api.containers.list({ all: true, size: true, filters: { id: ids } }, call)
        return new Map(found.map(({ Id, SizeRw = 0 }) => [Id, SizeRw]))
      })
    this.#layers.set(key, known)
    return known.sizes
  }

  #volumeSizes(): Promise<Sizes | undefined> {
    const now = this.#clock.now()
    if (!this.#volumes || now - this.#volumes.since >= this.#volumes.keptMs) {
      this.#volumes = this.#counting((call) => volumesOnDisk(this.#api, call))
    }
    return this.#volumes.sizes
  }

  #counting(count: (call: Call) => Promise<Sizes>): Counting {
    const since = this.#clock.now()
    const sizes = this.#counted(count)
    // Not asked for again before it is through.
    const counting: Counting = { since, sizes, keptMs: countMs + keptMs }
    const through = (known: boolean): void => {
      const tookMs = this.#clock.now() - since
      counting.keptMs = known ? Math.max(keptMs, restTimes * tookMs) : tookMs + againMs
    }
    sizes.then(
      (found) => through(found !== undefined),
      // Told to who waits for them.
      () => through(false),
    )
    return counting
  }

  /** Goes on without whoever asked first, since others ask for the same. An engine that does not count has no figure. */
  async #counted(count: (call: Call) => Promise<Sizes>): Promise<Sizes | undefined> {
    const call = withDeadline(this.#clock, countMs, 'Counting files', { signal: new AbortController().signal })
    try {
      return await count(call)
    } catch (error) {
      if (isFault(error)) return undefined
      throw error
    } finally {
      call.clear()
    }
  }

  async #inTime(sizes: Promise<(Sizes | undefined)[]>, call: Call): Promise<(Sizes | undefined)[]> {
    const wait = withDeadline(this.#clock, waitMs, 'Counting files', call)
    try {
      return await orAbort(sizes, wait)
    } catch (error) {
      if (!wait.passed()) throw error
      return []
    } finally {
      wait.clear()
    }
  }
}

/** An engine counts none that it mounts: those in memory take nothing, and of others it is not known. */
async function volumesOnDisk({ system, volumes }: DockerApi, call: Call): Promise<Sizes> {
  const [sizes, all] = await Promise.all([system.volumeSizes(call), volumes.list({}, call)])
  const inMemory = all.filter(({ Options }) => Options?.type === 'tmpfs')
  return new Map([...sizes, ...inMemory.map(({ Name }) => [Name, 0] as const)])
}
